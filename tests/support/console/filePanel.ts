import { expect, type Page } from '@playwright/test'
import { expectToast } from '../journeys/toasts.ts'

/** The files of the only server, as a person handles them. */
export function filePanel(page: Page) {
  const panel = page.getByRole('region', { name: /^Files of / })
  const grid = panel.getByRole('grid')
  const choose = async (item: string) => {
    await panel.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  return {
    panel,
    grid,
    filter: panel.getByRole('searchbox', { name: 'Filter' }),
    row: (name: string) => grid.getByRole('row', { name }),
    choose,
    /** Opens a folder by its path, and waits until it is there. */
    async goTo(path: string) {
      await choose('Go to')
      const dialog = page.getByRole('dialog', { name: 'Go to' })
      await dialog.getByRole('textbox', { name: 'Path' }).fill(path)
      await dialog.getByRole('button', { name: 'Go to' }).click()
      await expect(panel.getByRole('grid', { name: `Files in ${path}`, exact: true })).toBeVisible()
    },
    /** Names on screen, from the top. */
    names: () => grid.locator('.name').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title'))),
    /** Gives files of this computer to the folder that is open. */
    upload: (files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
      page.locator('input[data-upload=files]').setInputFiles(files),
    /**
     * Presses the download button of a file and waits for the download.
     * @param timeout in milliseconds, where it takes longer than other waits may
     * @returns the path of the downloaded file
     */
    async download(name: string, timeout?: number): Promise<string> {
      const arrived = page.waitForEvent('download', { timeout })
      await panel.getByRole('button', { name: `Download ${name}`, exact: true }).click()
      return (await arrived).path()
    },
    /** Waits for a notification with this text, which may have left already. */
    expectNotification: (text: string | RegExp) => expectToast(page, text),
    uploading: page.getByRole('dialog', { name: 'Uploading...' }),
    downloading: page.getByRole('dialog', { name: 'Downloading...' }),
  }
}

/** Opens the page of a terminal with the files beside it. */
export async function openFilePanel(page: Page): Promise<ReturnType<typeof filePanel>> {
  // The browser would ask where to save in a dialog of the system, which a test cannot answer.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  await page.goto('/dashboard/terminal/1')
  await page.getByRole('button', { name: 'Files', exact: true }).click()
  const files = filePanel(page)
  await expect(files.grid).toBeVisible()
  return files
}
