import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { chromiumArgs, findChromium } from '../../../tests/support/journeys/chromium.ts'

/** A browser with one page, driven by a few commands of the DevTools protocol. */
export interface PlainBrowser {
  /** A command to the page. */
  page<Reply = unknown>(method: string, params?: object): Promise<Reply>
  /** A command to the browser as a whole. */
  browser<Reply = unknown>(method: string, params?: object): Promise<Reply>
  /** Runs an expression in the page, as if a person had pressed a key. @returns what it resolves to */
  evaluate<Value>(expression: string): Promise<Value>
  close(): Promise<void>
}

interface Answer {
  id?: number
  result?: unknown
  error?: { message: string }
}

/**
 * Starts a browser without Playwright, which gets every byte of every socket reported: that costs more than the
 * transfer itself. Its profile is on the disk, as that of a window which is not private.
 */
export async function startPlainBrowser(): Promise<PlainBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-browser-'))
  const args = [...chromiumArgs, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const child = spawn(await findChromium(), [...args, '--window-size=1440,900', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const address = await addressOf(createInterface({ input: child.stderr }))
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 0 })
  await once(socket, 'open')

  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  socket.on('message', (text: Buffer) => {
    const { id = 0, result, error } = JSON.parse(text.toString()) as Answer
    const call = waiting.get(id)
    waiting.delete(id)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  })
  let calls = 0
  const send = (method: string, params: object = {}, sessionId?: string) =>
    new Promise<unknown>((resolve, reject) => {
      calls += 1
      waiting.set(calls, { resolve, reject })
      socket.send(JSON.stringify({ id: calls, method, params, sessionId }))
    })

  const { targetInfos } = (await send('Target.getTargets')) as { targetInfos: { targetId: string; type: string }[] }
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId
  const attached = (await send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string }
  const page = (method: string, params?: object) => send(method, params, attached.sessionId)
  return {
    page: page as PlainBrowser['page'],
    browser: send as PlainBrowser['browser'],
    async evaluate<Value>(expression: string) {
      const { result, exceptionDetails } = (await page('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
      })) as { result: { value: Value }; exceptionDetails?: { exception?: { description?: string } } }
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'The page threw something.')
      return result.value
    },
    async close() {
      await send('Browser.close')
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The browser ended before it could be driven.')
}
