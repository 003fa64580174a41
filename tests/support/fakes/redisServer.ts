import { startRawServer } from './rawServer.ts'

/** A Redis server with the password `secret-of-tests` and one key. @returns its address */
export async function startRedis(): Promise<string> {
  const { port } = await startRawServer((socket) => {
    let isIn = false
    socket.on('data', (bytes) => {
      const words = String(bytes).split(/\r\n/)
      const [command, ...rest] = words.filter((part) => part !== '' && !/^[*$]/.test(part))
      if (command === 'AUTH') {
        isIn = rest.at(-1) === 'secret-of-tests'
        return socket.write(isIn ? '+OK\r\n' : '-WRONGPASS invalid password\r\n')
      }
      if (!isIn) return socket.write('-NOAUTH Authentication required.\r\n')
      if (command === 'PING') return socket.write('+PONG\r\n')
      if (command === 'GET') return socket.write(rest[0] === 'known' ? '$5\r\nvalue\r\n' : '$-1\r\n')
      return socket.write('*2\r\n:1\r\n$1\r\na\r\n')
    })
  })
  return `127.0.0.1:${port}`
}
