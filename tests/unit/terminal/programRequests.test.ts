import { expect, it } from 'vitest'
import { shownPath } from '../../../src/custom/files/transfer/remotePath.ts'
import { clipboardText, folderOfAddress } from '../../../src/custom/terminal/screen/programRequests.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

it.each([
  ['for the clipboard', `c;${base64('größe 字')}`, 'größe 字'],
  ['for no particular one', `;${base64('x')}`, 'x'],
  ['to tell what is on it', 'c;?', undefined],
  ['to empty it', 'c;', undefined],
  ['with what is no base64', 'c;***', undefined],
  ['with bytes that are no text', `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`, undefined],
  ['with too much', `c;${base64('x'.repeat(100_000))}`, undefined],
])('what a program asks %s', (_, data, text) => {
  expect(clipboardText(data)).toBe(text)
})

it.each([
  ['file://web-1/var/log', '/var/log'],
  ['file:///srv/a%20b%25', '/srv/a b%'],
  ['file://web-1/srv/gr%C3%B6%C3%9Fe', '/srv/größe'],
  ['file://web-1/srv/größe', '/srv/größe'],
  ['http://web-1/var', undefined],
  ['file://web-1', undefined],
  [`file://web-1/${'x'.repeat(5000)}`, undefined],
])('the folder that %s tells is %s', (data, folder) => {
  const found = folderOfAddress(data)
  expect(found === undefined ? undefined : shownPath(found)).toBe(folder)
})
