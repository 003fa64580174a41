import { expect, it } from 'vitest'
import { lookUp } from '../../../server/outbound/dnsLookup.ts'

it('a name is looked up once for all who ask meanwhile, and anew for who asks later', async () => {
  const first = lookUp('localhost')
  expect(lookUp('localhost')).toBe(first)
  const found = await first
  expect(found.map(({ address }) => address)).toContain('127.0.0.1')
  const later = lookUp('localhost')
  expect(later).not.toBe(first)
  expect(await later).toEqual(found)
})

it('a name that is nobody fails for all who ask, and more names than are looked up at once all get their answer', async () => {
  const names = Array.from({ length: 40 }, (_, number) => `nobody-${number}.invalid`)
  const answers = await Promise.allSettled([...names, ...names, 'localhost'].map(lookUp))
  expect(answers.map(({ status }) => status)).toEqual([...Array(80).fill('rejected'), 'fulfilled'])
})
