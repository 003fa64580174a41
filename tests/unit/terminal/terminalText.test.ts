import { describe, expect, it } from 'vitest'
import { shortcutOf } from '../../../src/custom/terminal/screen/screen.ts'
import {
  controlCharacter,
  isMultiline,
  lineCount,
  shellTitle,
  splitIntoMessages,
  webAddress,
} from '../../../src/custom/terminal/session/terminalText.ts'
import { escapeControlCharacters } from '../../../src/domain/terminal/controlCharacters.ts'

describe('A paste', () => {
  it('is split into messages that a server takes, without losing or cutting a character', () => {
    const text = 'a語🎉\r\n'.repeat(150_000)
    const parts = splitIntoMessages(text)
    expect(parts.join('')).toBe(text)
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(256 * 1024)
      expect(part.isWellFormed()).toBe(true)
    }
  })

  it('that is short stays one message, and an empty one is none', () => {
    expect(splitIntoMessages('ls -l\r')).toEqual(['ls -l\r'])
    expect(splitIntoMessages('')).toEqual([])
  })

  it('of several lines is one that would run something', () => {
    expect(['ls', 'ls\n', 'a\rb'].map(isMultiline)).toEqual([false, true, true])
    expect(['ls', 'ls\n', 'a\r\nb\r\n', 'a\n\nb'].map(lineCount)).toEqual([1, 1, 2, 3])
  })

  it('cannot end the marks around it, nor press keys: control characters become signs', () => {
    expect(escapeControlCharacters('a\x1b[201~\x03b\x7f')).toBe('a␛[201~␃b␡')
    expect(escapeControlCharacters('tab\tline\r\n語🎉')).toBe('tab\tline\r\n語🎉')
  })
})

describe('A title that a shell gives itself', () => {
  it('is one line without what turns the text around it', () => {
    expect(shellTitle(' vim \u202ecod.exe\n\x07 ~ ')).toBe('vim cod.exe ~')
  })

  it('is cut to length by characters', () => {
    const title = shellTitle('🎉'.repeat(5000))
    expect(Array.from(title)).toHaveLength(100)
    expect(title.endsWith('🎉…')).toBe(true)
  })
})

describe('A link in the output', () => {
  it('may be opened when it leads into the web, and is shown as the browser reads it', () => {
    expect(webAddress('https://example.org/a b')).toBe('https://example.org/a%20b')
    expect(webAddress('http://user@EXAMPLE.org')).toBe('http://user@example.org/')
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'ssh://host', '/dashboard', ''])(
    'leads nowhere when it is %s',
    (address) => expect(webAddress(address)).toBeUndefined(),
  )
})

describe('Keys', () => {
  const key = (code: string, held: Partial<KeyboardEvent> = { ctrlKey: true, shiftKey: true }) =>
    shortcutOf({ ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, code, ...held })

  it('of the page take Ctrl and Shift; all others are the shell’s', () => {
    expect(['KeyF', 'KeyC', 'KeyV', 'ArrowUp', 'ArrowDown', 'KeyT'].map((code) => key(code))).toEqual([
      'search',
      'copy',
      'paste',
      'leave',
      'beside',
      undefined,
    ])
    expect(key('KeyC', { ctrlKey: true })).toBeUndefined()
    expect(key('KeyF', { ctrlKey: true, shiftKey: true, altKey: true })).toBeUndefined()
  })

  it('typed while Ctrl is held on screen are control characters', () => {
    expect(['c', 'C', '[', ' ', '?', '1', '語'].map(controlCharacter)).toEqual([
      '\x03',
      '\x03',
      '\x1b',
      '\x00',
      '\x7f',
      '1',
      '語',
    ])
  })
})
