import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { encodeInput, encodeResize } from '../../../src/schemas/frames/terminal.ts'
import { readSocketRecording } from '../../support/recorded/socketRecording.ts'
import { prompt, startTerminalServer } from '../../support/server/fixtures/terminalServer.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** What is typed shows once; what a command prints comes at the beginning of a line. */
const printed = (text: string) => new RegExp(`^${text}\\r?$`, 'm')

describe('a terminal', () => {
  it('is a shell in the home of the user who runs the server, and shows what is typed and its output', async () => {
    const { open, host } = await startTerminalServer()
    const { type, until, output } = await open()
    type('echo "in $PWD"\r')
    await until(printed(`in ${host.folder}`))
    expect(output()).toContain('echo "in $PWD"\r\n')
  })

  it('has the size that was sent last', async () => {
    const { open } = await startTerminalServer()
    const { type, send, until } = await open()
    type('stty size\r')
    await until(printed('24 80'))
    send(encodeResize({ rows: 40, cols: 120 }))
    type('stty size\r')
    await until(printed('40 120'))
    send(bytes('\u0001{"Rows":1,"Cols":120}'))
    send(bytes('\u0001{"Rows":'))
    send(new Uint8Array())
    type('echo; stty size; echo done\r')
    await until(/^40 120\r\ndone\r$/m)
  })

  it('takes typed bytes that are no text, and control characters as keys and not as markers', async () => {
    const { open } = await startTerminalServer()
    const { type, send, until } = await open()
    send(encodeInput(bytes('echo bytes\r')))
    await until(printed('bytes'))
    // Ctrl-A goes to the beginning of the line.
    type('one')
    type('\u0001')
    type('echo \r')
    await until(printed('one'))
  })

  it('runs programs that take the whole screen', async () => {
    const { open, host } = await startTerminalServer()
    const { type, send, until } = await open()
    type('vi file.txt\r')
    await until('\u001b[?1049h')
    send(encodeResize({ rows: 30, cols: 100 }))
    // Where it draws what was typed depends on when it learns of its size: the file tells.
    type('ihello from vi\u001b')
    type(':wq\r')
    await vi.waitFor(() => expect(readFileSync(join(host.folder, 'file.txt'), 'utf8')).toBe('hello from vi\n'))
    await until('\u001b[?1049l')
    type('stty size\r')
    await until(printed('30 100'))
  })

  it('sends everything a command prints, in frames of at most 32 KiB', async () => {
    const { open } = await startTerminalServer()
    const { type, until, output, frames } = await open()
    const before = output().length
    type('seq 1 200000; echo the-end\r')
    await until(printed('the-end'))
    const lines = output().slice(before).split('\r\n')
    const numbers = lines.filter((line) => /^\d+$/.test(line)).map(Number)
    expect(numbers).toHaveLength(200_000)
    expect(numbers.every((number, index) => number === index + 1)).toBe(true)
    expect(Math.max(...frames)).toBeLessThanOrEqual(32 * 1024)
  })

  it('ends with its shell, and the last output arrives', async () => {
    const { open } = await startTerminalServer()
    const { type, closed, output } = await open()
    type('seq 1 50000; echo last-words; exit\r')
    expect(await closed).toBe(1006)
    expect(output()).toMatch(printed('last-words'))
  })

  it('takes a paste of many pieces while the program is slow to read, and others go on meanwhile', async () => {
    const { open, signIn, host } = await startTerminalServer()
    const { type, until, send } = await open()
    type('stty raw -echo; echo go; until [ -e now ]; do sleep 0.05; done; head -c 1500000 | md5sum; stty sane\r')
    await until(printed('go'))
    for (let piece = 0; piece < 5; piece++) send(encodeInput(new Uint8Array(300_000).fill(97)))
    expect((await (await signIn()).get('profile')).body).toMatchObject({ success: true })
    writeFileSync(join(host.folder, 'now'), '')
    await until(createHash('md5').update(Buffer.alloc(1_500_000, 'a')).digest('hex'))
  })
})

describe('the recorded session', () => {
  it('goes the same way here, frame by frame', async () => {
    const { open } = await startTerminalServer()
    const { type, send, until, output, closed } = await open()
    const messages = readSocketRecording('ws-terminal-session')
    const expected: Record<string, string> = {
      'stty size\r': '^40 120\\r\\n',
      'echo hi\r': '^hi\\r\\n',
      '\u0000echo bin-frame\r': '^bin-frame\\r\\n',
    }
    for (const { opcode, hex, text = '' } of messages.filter(({ dir }) => dir === 'out')) {
      if (opcode === 'text') type(text)
      else send(Buffer.from(hex as string, 'hex'))
      const typed = opcode === 'text' ? text : Buffer.from(hex as string, 'hex').toString()
      const answer = expected[typed]
      if (answer) await until(new RegExp(`${answer}${prompt}$`, 'm'))
    }
    expect(await closed).toBe(1006)
    expect(output()).not.toContain('raw-binary-no-prefix')
  })

  it('that sends more than is taken ends with 1009', async () => {
    const { open, audit } = await startTerminalServer()
    const [oversized] = readSocketRecording('ws-terminal-input-over-limit').filter(({ dir }) => dir === 'out')
    const { send, closed, type, until } = await open()
    type('stty raw -echo; echo go; head -c 524351 | wc -c; stty sane; echo\r')
    await until(printed('go'))
    // The most that is taken: a marker and all but one byte of the limit.
    const most = 512 * 1024 + 64
    send(encodeInput(new Uint8Array(most - 1).fill(32)))
    await until('524351')
    send(new Uint8Array(oversized?.length as number).fill(32))
    expect(await closed).toBe(1009)
    await vi.waitFor(() =>
      expect(audit.at(-1)).toMatchObject({ action: 'terminal.end', detail: { outcome: 'message too large' } }),
    )
  })
})
