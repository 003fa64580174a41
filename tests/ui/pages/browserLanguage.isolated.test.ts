import { expect, test, vi } from 'vitest'

// The setup of these tests draws no charts.
vi.unmock('../../../src/components/charts/plot/plot.ts')

test('charts are drawn in a browser whose language is that of a POSIX locale', async () => {
  vi.stubGlobal('matchMedia', () => new EventTarget())
  Object.defineProperty(navigator, 'language', { configurable: true, value: 'en-US@posix' })
  const { createPlot } = await import('../../../src/components/charts/plot/plot.ts')
  expect(createPlot).toBeTypeOf('function')
  expect(navigator.language).toBe('en-US')
})

test('a language is read as the browser means it', async () => {
  const { languageTag } = await import('../../../src/components/charts/plot/browserLanguage.ts')
  const read = ['en-US@posix', 'de_DE.UTF-8', 'pt-BR', 'C', ''].map(languageTag)
  expect(read).toEqual(['en-US', 'de-DE', 'pt-BR', 'en-US', 'en-US'])
})
