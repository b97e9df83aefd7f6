import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface Mail {
  from: string
  to: string
  /** As it was sent: headers and body. */
  data: string
}

/** What it does at a step instead of going on: answers this line, says nothing, or closes the connection. */
export type SmtpFault = { at: 'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end' } & (
  | { answer: string }
  | { is: 'silent' | 'closing' }
)

export interface SmtpDouble {
  port: number
  user: string
  password: string
  /** What was accepted, in order. */
  mails: Mail[]
  fault: SmtpFault | undefined
  /** Every line it was sent. */
  lines: string[]
  close(): Promise<void>
}

/** A mail server by RFC 5321, with AUTH PLAIN (RFC 4954) and without TLS. */
export async function startSmtp(): Promise<SmtpDouble> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    serve(socket, double)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: SmtpDouble = {
    port: (server.address() as AddressInfo).port,
    user: 'shop',
    password: `mail-${crypto.randomUUID()}`,
    mails: [],
    fault: undefined,
    lines: [],
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return double
}

function serve(socket: Socket, double: SmtpDouble): void {
  let mail: Mail = { from: '', to: '', data: '' }
  let isLoggedIn = false
  let isInData = false

  const answer = (at: SmtpFault['at'], line: string): boolean => {
    const { fault } = double
    if (fault?.at !== at) {
      socket.write(`${line}\r\n`)
      return true
    }
    if ('answer' in fault) socket.write(`${fault.answer}\r\n`)
    else if (fault.is === 'closing') socket.destroy()
    return false
  }
  const onCommand = (line: string) => {
    const [command = '', ...rest] = line.split(' ')
    const argument = rest.join(' ')
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (command === 'EHLO') return answer('EHLO', '250-double.example\r\n250-AUTH PLAIN\r\n250 8BITMIME')
    if (command === 'AUTH') {
      const wanted = Buffer.from(`\u0000${double.user}\u0000${double.password}`).toString('base64')
      isLoggedIn = argument === `PLAIN ${wanted}`
      return answer('AUTH', isLoggedIn ? '235 2.7.0 welcome' : '535 5.7.8 Username and password not accepted')
    }
    if (command === 'MAIL') {
      if (!isLoggedIn) return socket.write('530 5.7.0 Authentication required\r\n')
      mail = { from: address, to: '', data: '' }
      return answer('MAIL', '250 2.1.0 ok')
    }
    if (command === 'RCPT') {
      mail.to = address
      return answer('RCPT', '250 2.1.5 ok')
    }
    if (command === 'DATA') {
      isInData = answer('DATA', '354 go on')
      return isInData
    }
    return socket.end(command === 'QUIT' ? '221 bye\r\n' : '502 5.5.1 no such command\r\n')
  }
  const onData = (line: string) => {
    if (line !== '.') {
      mail.data += `${line.replace(/^\./, '')}\n`
      return
    }
    isInData = false
    const isLost = double.fault?.at === 'end' && 'answer' in double.fault
    if (!isLost) double.mails.push(mail)
    answer('end', '250 2.0.0 queued')
  }

  answer('greeting', '220 double.example ESMTP')
  createInterface({ input: socket }).on('line', (line) => {
    double.lines.push(line)
    if (isInData) onData(line)
    else onCommand(line)
  })
}
