import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { chromiumArgs, findChromium } from '../../../tests/support/journeys/chromium.ts'
import { type Condition, installStopwatch } from '../support/stopwatch.ts'
import type { Site } from './bareSession.ts'

/** The terminal page of machine 1 in a browser of its own, driven by a few commands of the DevTools protocol. */
export interface TerminalPage {
  /** A command to the page. */
  command<Reply = unknown>(method: string, params?: object): Promise<Reply>
  /** Runs an expression in the page, as if a person had pressed a key. @returns what it resolves to */
  evaluate<Value>(expression: string): Promise<Value>
  /** Waits until an expression of the page is true. */
  until(expression: string): Promise<void>
  /** Clicks the first element that matches, once there is one. */
  click(selector: string): Promise<void>
  press(key: object): Promise<void>
  /** Gives a file of this machine to an input. */
  choose(selector: string, path: string): Promise<void>
  type(text: string): Promise<void>
  /** Starts the clock with an event, makes it, and stops when the condition is met. @returns milliseconds */
  time(event: 'keydown' | 'click' | 'change', shown: Condition, act: () => Promise<unknown>): Promise<number>
  /** Milliseconds from the navigation to the prompt. */
  loadMs: number
  /** Processor time of each of the processes that draw pages so far, by its id. */
  processorTimes(): Promise<Map<number, number>>
  close(): Promise<void>
}

export const screen = '.xterm-rows'

/**
 * Without Playwright, which gets every byte of every socket reported: that costs more than the transfer itself. The
 * profile is on the disk, as that of a window which is not private.
 */
export async function openTerminal({ address, cookie }: Site): Promise<TerminalPage> {
  const profile = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-browser-'))
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1440,900']
  const child = spawn(await findChromium(), [...chromiumArgs, ...args, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const socket = new WebSocket(await devToolsOf(createInterface({ input: child.stderr })), { perMessageDeflate: false })
  await once(socket, 'open')
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  socket.on('message', (text: Buffer) => {
    const { id, result, error } = JSON.parse(text.toString())
    if (error) calls.get(id)?.reject(new Error(error.message))
    else calls.get(id)?.resolve(result)
    calls.delete(id)
  })
  let last = 0
  const send = async <Reply>(method: string, params: object = {}, sessionId?: string) => {
    const call = Promise.withResolvers<unknown>()
    last += 1
    calls.set(last, call)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return (await call.promise) as Reply
  }
  const { targetInfos } = await send<{ targetInfos: { targetId: string; type: string }[] }>('Target.getTargets')
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId
  const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const command = <Reply>(method: string, params?: object) => send<Reply>(method, params, sessionId)

  async function evaluate<Value>(expression: string): Promise<Value> {
    const asked = { expression, awaitPromise: true, returnByValue: true, userGesture: true }
    type Evaluated = { result: { value: Value }; exceptionDetails?: { exception?: { description?: string } } }
    const { result, exceptionDetails } = await command<Evaluated>('Runtime.evaluate', asked)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'The page threw something.')
    return result.value
  }
  const until = async (expression: string) => {
    await evaluate(`new Promise((resolve) => {
      const look = () => (${expression}) ? resolve() : setTimeout(look, 20)
      look()
    })`)
  }

  const cookies = cookie.split('; ').map((pair) => {
    const [name, value] = pair.split('=')
    return { name, value, url: address }
  })
  await send('Storage.setCookies', { cookies })
  await command('Page.enable')
  // An empty screen has characters too. Which file to save to would be asked by a window of the system.
  const prompt: Condition = { selector: screen, holds: process.getuid?.() === 0 ? '#' : '$' }
  const source = `delete window.showSaveFilePicker; (${installStopwatch})(${JSON.stringify(prompt)})`
  await command('Page.addScriptToEvaluateOnNewDocument', { source })
  await command('Page.navigate', { url: `${address}/dashboard/terminal/1` })
  await until('window.stopwatch')
  return {
    command,
    evaluate,
    until,
    loadMs: await evaluate<number>('stopwatch.shown'),
    async click(selector) {
      await until(`document.querySelector(${JSON.stringify(selector)})`)
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
    },
    async press(key) {
      await command('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
      await command('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    },
    async choose(selector, path) {
      const { root } = await command<{ root: { nodeId: number } }>('DOM.getDocument')
      const { nodeId } = await command<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
      await command('DOM.setFileInputFiles', { files: [path], nodeId })
    },
    async type(text) {
      await command('Input.insertText', { text })
    },
    async time(event, shown, act) {
      await evaluate(`stopwatch.arm(${JSON.stringify(shown)}, '${event}')`)
      await act()
      return evaluate<number>('stopwatch.shown')
    },
    async processorTimes() {
      type Process = { id: number; type: string; cpuTime: number }
      const { processInfo } = await send<{ processInfo: Process[] }>('SystemInfo.getProcessInfo')
      return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
    },
    async close() {
      await send('Browser.close')
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

async function devToolsOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The browser ended before it could be driven.')
}
