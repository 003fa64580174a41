import { type Condition, type StartEvent, stopwatchScript } from '../console/stopwatch.ts'
import type { Site } from '../console/visit.ts'
import { type PlainBrowser, startPlainBrowser } from './plainBrowser.ts'

/** The terminal page of this machine in a browser of its own. */
export interface PlainTerminal extends PlainBrowser {
  /** Starts the clock with an event, makes it, and stops when the condition is met. @returns milliseconds */
  time(event: StartEvent, shown: Condition, act: () => Promise<unknown>): Promise<number>
}

/** @param script source of what runs in the page before everything else */
export async function openPlainTerminal({ address, cookies }: Site, script = ''): Promise<PlainTerminal> {
  const browser = await startPlainBrowser()
  const { page, evaluate } = browser
  await browser.browser('Storage.setCookies', {
    cookies: cookies.cookies.map(({ name, value, path, httpOnly }) => ({ name, value, path, httpOnly, url: address })),
  })
  await page('Page.enable')
  // Which file to save to would be asked by a window of the system, that nothing here can answer.
  const source = `delete window.showSaveFilePicker; ${stopwatchScript({ selector: '.xterm' })}; ${script}`
  await page('Page.addScriptToEvaluateOnNewDocument', { source })
  await page('Page.navigate', { url: `${address}/dashboard/terminal/1` })
  return {
    ...browser,
    async time(event, shown, act) {
      await evaluate(`stopwatch.arm(${JSON.stringify(shown)}, '${event}')`)
      await act()
      return evaluate<number>('stopwatch.shown')
    },
  }
}
