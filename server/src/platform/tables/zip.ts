import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

interface ZipEntry {
  name: string
  content: AsyncIterable<string>
}

interface Written {
  name: Buffer
  offset: number
  crc: number
  packed: number
  plain: number
}

// Sizes follow the content (bit 3) and names are UTF-8 (bit 11).
const flags = 0x0808
const version = 20
const deflated = 8
/** The first of January 1980, which is the earliest that the format knows. */
const date = 0x21

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(date, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function dataDescriptor({ crc, packed, plain }: Written): Buffer {
  const sizes = Buffer.alloc(16)
  sizes.writeUInt32LE(0x08074b50, 0)
  sizes.writeUInt32LE(crc, 4)
  sizes.writeUInt32LE(packed, 8)
  sizes.writeUInt32LE(plain, 12)
  return sizes
}

function directoryEntry(entry: Written): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(version, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(deflated, 10)
  header.writeUInt16LE(date, 14)
  header.writeUInt32LE(entry.crc, 16)
  header.writeUInt32LE(entry.packed, 20)
  header.writeUInt32LE(entry.plain, 24)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt32LE(entry.offset, 42)
  return Buffer.concat([header, entry.name])
}

function endOfDirectory(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/**
 * Packs entries into a zip archive (APPNOTE 6.3.3, without the extension for 4 GB and more) and holds no more of them than a
 * few pieces at a time. Entries are read one after the other, and asked for when the one before is packed.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), offset, crc: 0, packed: 0, plain: 0 }
    const header = localHeader(entry.name)
    yield header
    offset += header.length
    const counted = async function* () {
      for await (const text of content) {
        const bytes = Buffer.from(text)
        entry.crc = crc32(bytes, entry.crc)
        entry.plain += bytes.length
        yield bytes
      }
    }
    // What fails in the source comes out of the packer; who stops reading ends both.
    for await (const chunk of pipeline(
      Readable.from(counted()),
      createDeflateRaw(),
      () => {},
    ) as AsyncIterable<Buffer>) {
      entry.packed += chunk.length
      yield chunk
    }
    const sizes = dataDescriptor(entry)
    yield sizes
    offset += entry.packed + sizes.length
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield Buffer.concat([directory, endOfDirectory(written.length, directory.length, offset)])
}
