import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { pdfFile } from '../../support/console/pdfFile.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

test('a PDF is read page by page, its text can be selected, and its links lead to the web and to its pages only', async ({
  page,
}) => {
  const links = ['https://example.org/manual', 'file:///etc/passwd', 'javascript:alert(1)', 3]
  const pages = [{ text: 'First page', links }, { text: '第二页' }, { text: 'Third page' }]
  writeFileSync(join(folder, 'manual.pdf'), pdfFile(pages, { script: 'app.alert("a script has run")' }))
  page.on('dialog', (dialog) => {
    throw new Error(`a script has run: ${dialog.message()}`)
  })
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.row('manual.pdf').click()
  const dialog = page.getByRole('dialog', { name: 'manual.pdf' })
  await expect(dialog.getByText('First page')).toBeVisible()
  await expect(dialog.getByText('/ 3')).toBeVisible()
  await expect(dialog.getByRole('link')).toHaveText(['https://example.org/manual'])
  await expect(dialog.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer')
  const canvas = dialog.locator('canvas')
  /** Whether the line of text was drawn: something on the page is no paper. */
  const isDrawn = () =>
    canvas.evaluate((element: HTMLCanvasElement) => {
      const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] }
      return data.some((value, at) => at % 4 < 3 && value < 100)
    })
  await expect.poll(isDrawn).toBe(true)
  await dialog.getByText('First page').selectText()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('First page')

  await dialog.getByRole('button', { name: 'Page 3' }).click()
  await expect(dialog.getByText('Third page')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Page 3' }).fill('2')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('第二页')).toBeVisible()
  // One page is held, whichever it is.
  await expect(canvas).toHaveCount(1)

  const width = () => canvas.evaluate((element) => element.getBoundingClientRect().width)
  const before = await width()
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(width).toBeCloseTo(before * 1.5, 0)
  await dialog.getByRole('button', { name: 'Show as hex' }).click()
  await expect(dialog.getByText('00000000  25 50 44 46')).toBeVisible()
  await dialog.getByRole('button', { name: 'Show as pages' }).click()
  await expect(dialog.getByText('First page')).toBeVisible()
})

test('a PDF that needs a password, or is none, says so', async ({ page }) => {
  writeFileSync(join(folder, 'locked.pdf'), pdfFile([{ text: 'Secret' }], { isEncrypted: true }))
  writeFileSync(join(folder, 'broken.pdf'), 'this is no document')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  for (const [name, words] of [
    ['locked.pdf', 'This PDF is protected by a password. Download it to open it in another program.'],
    ['broken.pdf', 'This cannot be shown: the file is damaged, or no PDF.'],
  ] as const) {
    await files.row(name).click()
    const dialog = page.getByRole('dialog', { name })
    await expect(dialog.getByRole('alert')).toHaveText(words)
    await dialog.getByRole('button', { name: 'Close' }).click()
  }
})
