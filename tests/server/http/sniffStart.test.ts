import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { readArrived } from '../../../server/http/sniffStart.ts'

it('what a connection has sent is one piece, also where Node gives its pieces one by one', () => {
  const pieces = [Buffer.from('PRI * '), Buffer.from('HTTP/2.0')]
  const socket = { read: () => pieces.shift() ?? null } as Partial<Socket> as Socket
  expect(readArrived(socket).toString()).toBe('PRI * HTTP/2.0')
  expect(readArrived(socket)).toHaveLength(0)
})
