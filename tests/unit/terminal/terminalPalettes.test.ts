import { describe, expect, it } from 'vitest'
import { palettes, searchColours } from '../../../src/custom/terminal/screen/palettes.ts'
import { contrast } from '../../support/console/contrast.ts'

const names = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const bright = names.map(
  (name) => `bright${name[0]?.toUpperCase()}${name.slice(1)}` as `bright${Capitalize<typeof name>}`,
)

describe.each(['light', 'dark'] as const)('the terminal on %s ground', (scheme) => {
  const palette = palettes[scheme]

  it.each(['foreground', ...names, ...bright, 'brightBlack'] as const)('shows %s so that it can be read', (name) => {
    expect(contrast(String(palette[name]), palette.background)).toBeGreaterThanOrEqual(4.5)
  })

  it('keeps text readable on what a search has found', () => {
    const { matchBackground, activeMatchBackground } = searchColours(scheme)
    expect(contrast(palette.foreground, matchBackground)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.foreground, activeMatchBackground)).toBeGreaterThanOrEqual(4.5)
  })
})
