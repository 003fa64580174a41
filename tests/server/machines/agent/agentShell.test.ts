import { describe, expect, it } from 'vitest'
import { openAgentShell } from '../../../../server/machines/hosts/agent/agentShell.ts'
import { createAgentStreams } from '../../../../server/machines/hosts/agent/agentStreams.ts'
import { FakeAgentConnection, recordedFrames } from '../../../support/fakes/fakeAgentStreams.ts'

async function openShell() {
  const connection = new FakeAgentConnection()
  const streams = createAgentStreams({ connection, readConfig: async () => '{}' })
  const shell = await openAgentShell(streams, { rows: 24, cols: 80 })
  const output: string[] = []
  let exits = 0
  shell.onExit(() => {
    exits++
  })
  const listen = () => shell.onData((bytes) => output.push(Buffer.from(bytes).toString()))
  return { shell, stream: await connection.last(), output, listen, exits: () => exits }
}

const sent = (frames: readonly Buffer[]) => frames.map((frame) => frame.toString('latin1'))

describe('a terminal on an agent', () => {
  it('is task 8, and shows what a real agent sent, up to its exit, without the error that it sends last', async () => {
    const { stream, output, listen, exits } = await openShell()
    listen()
    const up = recordedFrames('terminal').filter(({ dir }) => dir === 'up')
    for (const { bytes } of up) stream.send(bytes)
    stream.endByAgent()
    expect(stream).toMatchObject({ type: 8, data: {} })
    expect(output.join('')).toContain('40 120\r\n')
    expect(output).toHaveLength(up.length - 1)
    expect(output.at(-1)).toBe('exit\r\n\u001b[?2004l\rexit\r\n')
    expect(exits()).toBe(1)
  })

  it('sends its size, what is typed, and the sizes that follow, as real servers do', async () => {
    const { shell, stream } = await openShell()
    shell.write(Buffer.from('ls\r'))
    shell.resize({ rows: 40, cols: 120 })
    shell.write(new Uint8Array())
    const recorded = recordedFrames('terminal')
      .find(({ dir }) => dir === 'down')
      ?.bytes.toString('latin1')
    expect(sent(stream.received)).toEqual(['\u0001{"Rows":24,"Cols":80}', '\u0000ls\r', recorded])
  })

  it('shows the text of the last error when a program prints it', async () => {
    const { stream, output, listen, exits } = await openShell()
    listen()
    stream.send('read /dev/ptmx: input/output error')
    stream.send('\r\n$ ')
    stream.send('read /dev/ptmx: input/output error')
    await expect.poll(() => output).toHaveLength(3)
    expect(exits()).toBe(0)
  })

  it('loses no output that came before somebody looked, and none at its end', async () => {
    const { stream, output, listen, exits } = await openShell()
    stream.send('$ ')
    stream.send('bye\r\n')
    stream.endByAgent()
    expect(exits()).toBe(0)
    listen()
    expect(output).toEqual(['$ ', 'bye\r\n'])
    expect(exits()).toBe(1)
  })

  it('makes the agent wait while its output is not read', async () => {
    const { shell, stream, output, listen } = await openShell()
    listen()
    shell.pause()
    stream.send('later')
    expect([stream.isPaused, output]).toEqual([true, []])
    shell.resume()
    expect(output).toEqual(['later'])
  })

  it('counts input that the agent has not taken', async () => {
    const { shell, stream } = await openShell()
    stream.isBlocked = true
    shell.write(Buffer.alloc(1000))
    expect(shell.pendingInputBytes()).toBe(1001)
    stream.drain()
    expect(shell.pendingInputBytes()).toBe(0)
  })

  it('ends the stream when it is closed, and takes no more input then', async () => {
    const { shell, stream, exits } = await openShell()
    await shell.kill()
    shell.write(Buffer.from('x'))
    shell.resize({ rows: 30, cols: 90 })
    expect([stream.hasEnded, stream.received.length, exits()]).toEqual([true, 1, 1])
  })
})
