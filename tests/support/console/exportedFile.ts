import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { vi } from 'vitest'

/** Exports the list on screen as CSV, in whatever language, and reads the file: a row of headings, then the records. */
export async function exportedRows(user: UserEvent): Promise<string[][]> {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:export'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  const follow = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  try {
    await user.click(await screen.findByRole('button', { name: viewOptions }))
    await user.click(await screen.findByRole('menuitem', { name: /CSV/ }))
    const file = await vi.waitFor(() => files[0] ?? Promise.reject(new Error('No file was made.')))
    return parseCsv(await textOf(file))
  } finally {
    follow.mockRestore()
  }
}

const viewOptions = /^(View options|Opzioni di visualizzazione|显示选项|檢視選項|Ansichtsoptionen)$/

/** jsdom's files have no `text()`. */
const textOf = (file: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsText(file)
  })

/** The cells of a CSV text (RFC 4180), without its byte order mark. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
