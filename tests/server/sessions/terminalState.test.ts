import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { sendState } from '../../../server/sessions/terminalSocket.ts'
import { decodeTerminalState, type TerminalState } from '../../../src/schemas/frames/terminal.ts'

/** The socket of a client that reads nothing while `bufferedAmount` is high. */
class SlowSocket extends EventEmitter {
  readonly OPEN = 1
  readyState: 0 | 1 | 2 | 3 = 1
  bufferedAmount = 0
  readonly told: (number | undefined)[] = []
  send(text: string): void {
    this.told.push(decodeTerminalState(text)?.rows)
  }
}

function watchedTerminal() {
  const socket = new SlowSocket()
  let rows = 24
  let tell = () => {}
  const forget = vi.fn()
  const onChange = (listener: () => void) => {
    tell = listener
    return forget
  }
  const stateOf = (): TerminalState => ({ rows, cols: 80, people: [], recording: 'no' })
  sendState(socket, { onChange }, stateOf)
  const resize = (next: number) => {
    rows = next
    tell()
  }
  return { socket, resize, forget }
}

it('a client that reads is told of each change of a terminal', () => {
  const { socket, resize } = watchedTerminal()
  for (const rows of [30, 30, 40]) resize(rows)
  expect(socket.told).toEqual([24, 30, 40])
})

it('a client that reads nothing is told of the latest change alone, once it reads again', async () => {
  const { socket, resize } = watchedTerminal()
  socket.bufferedAmount = 1024 * 1024
  for (let round = 0; round < 10_000; round += 1) resize(20 + (round % 2))
  resize(50)
  expect(socket.told).toEqual([24])
  socket.bufferedAmount = 0
  await vi.waitFor(() => expect(socket.told).toEqual([24, 50]))
})

it('a client that has gone is told nothing more', () => {
  const { socket, forget } = watchedTerminal()
  socket.emit('close')
  expect(forget).toHaveBeenCalled()
})
