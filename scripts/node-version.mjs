// Imported first by what runs before anything is installed, so in a syntax that old releases read too.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Olmos needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
