import type { Site } from '../console/visit.ts'
import { openPlainTerminal, type PlainTerminal } from './plainTerminal.ts'

/** The file manager of this machine in a browser of its own. */
export interface FilesPage extends PlainTerminal {
  /** Opens a folder by its path. */
  goTo(path: string): Promise<void>
  /** Clicks the first element that matches. */
  click(selector: string): Promise<void>
  /** Gives a file of this computer to the folder that is open. */
  chooseFile(path: string): Promise<void>
}

/** Where the console says what is done. */
export const toasts = 'section[aria-live=polite]'

/** @param script source of what runs in the page before everything else */
export async function openFilesPage(site: Site, script = ''): Promise<FilesPage> {
  const browser = await openPlainTerminal(site, script)
  const { page, evaluate } = browser

  /** Waits for an element, looking as the page draws. */
  const find = (selector: string) =>
    evaluate<true>(`new Promise((resolve) => {
      const look = () => document.querySelector(${JSON.stringify(selector)}) ? resolve(true) : setTimeout(look, 20)
      look()
    })`)
  const click = async (selector: string) => {
    await find(selector)
    await evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
  }
  await click('button[aria-label="Files"]')
  await find('[role=grid]')
  return {
    ...browser,
    click,
    async goTo(path) {
      await click('button[aria-label="More"]')
      await find('[role=menuitem]')
      await evaluate(
        `[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === 'Go to').click()`,
      )
      await find('[role=dialog] form input')
      // The way React hears of what is typed.
      await evaluate(`{
        const input = document.querySelector('[role=dialog] form input')
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(path)})
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }`)
      await click('[role=dialog] form button[type=submit]')
      await find(`[role=grid][aria-label=${JSON.stringify(`Files in ${path}`)}]`)
    },
    async chooseFile(path) {
      const { root } = await page<{ root: { nodeId: number } }>('DOM.getDocument')
      const selector = 'input[data-upload=files]'
      const { nodeId } = await page<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
      await page('DOM.setFileInputFiles', { nodeId, files: [path] })
    },
  }
}
