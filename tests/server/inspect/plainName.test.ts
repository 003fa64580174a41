import { expect, it } from 'vitest'
import { plainName } from '../../../server/inspect/machine/programs.ts'

it.each([
  ['/'],
  ['/var/lib/docker'],
  ['backup.service'],
  ['python3.11'],
  ['libstdc++6'],
  ['project_web_1'],
  ['резервная-копия'],
])('a message has the name %s as it is', (name) => {
  expect(plainName(name)).toBe(name)
})

it.each([
  ['@everyone', '-everyone'],
  ['getty@tty1.service', 'getty-tty1.service'],
  ['evil.example.com/login', 'evil-example-com/login'],
  ['//evil.com/x', '/evil-com/x'],
  ['https://evil.com/', 'https-/evil-com/'],
  ['evil.com/x.service', 'evil-com/x.service'],
  ['_b_ __c__ *d* ~e~ `f`', '-b-c-d-e-f-'],
  ['[a](b)\n<c>', '-a-b-c-'],
  ['', '?'],
])('a name that could be a link, a mention or markup is none in a message: %j', (name, plain) => {
  expect(plainName(name)).toBe(plain)
})

it('a long name is cut, never within a character', () => {
  expect(plainName('a'.repeat(100))).toHaveLength(60)
  expect(plainName(`${'a'.repeat(59)}𝒳`).isWellFormed()).toBe(true)
})
