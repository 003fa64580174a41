import { expect, type Locator, type Page } from '@playwright/test'

/** The prompt of the shells in these tests. */
export const prompt = 'ready>'

/** Replaces the shell of whoever runs the tests by `sh`, with an empty environment and without a history file. */
const plainShell = (folder: string) =>
  ` cd '${folder}' && exec env -i HOME='${folder}' PATH="$PATH" TERM="$TERM" PS1='${prompt} ' HISTFILE=/dev/null sh`

/** One terminal of the page, as a person reads and handles it. */
export interface TerminalPane {
  /** Its lines on screen, without the blanks at their ends. */
  lines(): Promise<string[]>
  /** Waits until the screen holds a text. */
  expectText(text: string | RegExp): Promise<void>
  /** Waits until the shell stands at its prompt, below whatever it wrote. */
  expectPrompt(): Promise<void>
  /** Types a line and presses Enter. */
  run(line: string): Promise<void>
  /** Gives it the focus. */
  focus(): Promise<void>
  place: Locator
}

/** @param place the terminal. Left out: the only one of the page */
export function terminalPane(
  page: Page,
  place = page.locator('section', { has: page.locator('.xterm') }),
): TerminalPane {
  // A no-break space stands for a cell that nothing was written to.
  const lines = async () =>
    (await place.locator('.xterm-rows > div').allTextContents()).map((line) => line.replaceAll('\u00a0', ' ').trimEnd())
  const focus = () => place.locator('.xterm-helper-textarea').focus()
  return {
    lines,
    expectText: (text) => expect.poll(async () => (await lines()).join('\n')).toMatch(text),
    expectPrompt: () => expect.poll(async () => (await lines()).findLast((line) => line !== '')).toBe(prompt),
    async run(line) {
      await focus()
      await page.keyboard.insertText(line)
      await page.keyboard.press('Enter')
    },
    focus,
    place,
  }
}

/** Replaces the shell by a plain one, in a folder and on an empty screen. */
export async function preparePane(pane: TerminalPane, folder: string): Promise<void> {
  await pane.expectText(/\S/)
  await pane.run(plainShell(folder))
  await pane.expectPrompt()
  // The size of the screen is sent 1.5 s after the session has opened: programs started before it use another size.
  await expect(async () => {
    await pane.run('clear; stty size')
    const rows = (await pane.lines()).length
    await expect.poll(async () => (await pane.lines())[0], { timeout: 1000 }).toMatch(new RegExp(`^${rows} \\d+$`))
  }).toPass()
  await pane.run('clear')
  await expect.poll(async () => (await pane.lines()).filter(Boolean)).toEqual([prompt])
}

/** Opens a terminal on the only server, which is this machine. */
export async function openTerminal(page: Page, folder: string, address = ''): Promise<TerminalPane> {
  await page.goto(`${address}/dashboard/terminal/1`)
  const pane = terminalPane(page)
  await preparePane(pane, folder)
  return pane
}

/** Puts a text into the clipboard and pastes it by the keys of the page. */
export async function pasteByKeys(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+Shift+V')
}
