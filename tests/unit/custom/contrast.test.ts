import { describe, expect, it } from 'vitest'
import { type Colours, colours, type Scheme } from '../../../src/components/theme/tokens.ts'
import { contrast } from '../../support/console/contrast.ts'

const grounds = ['background', 'surface', 'sunken'] as const satisfies (keyof Colours)[]
const texts = ['text', 'secondary', 'primary', 'good', 'warning', 'danger'] as const satisfies (keyof Colours)[]

describe.each(['light', 'dark'] satisfies Scheme[])('in the %s theme', (scheme) => {
  const colour = colours[scheme]

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    '%s can be read on %s',
    (text, ground) => {
      expect(contrast(colour[text], colour[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('selected items are readable, and their borders visible', () => {
    expect(contrast(colour.text, colour.marked)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour.secondary, colour.marked)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour.control, colour.marked)).toBeGreaterThanOrEqual(3)
  })

  it.each(['primary', 'primaryStrong'] as const)('the label of a filled button is readable on %s', (ground) => {
    expect(contrast(colour.onPrimary, colour[ground])).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['good', 'warning', 'danger', 'secondary'] as const)(
    'a label is readable on a background of %s',
    (ground) => {
      const label = scheme === 'light' ? colour.surface : colour.background
      expect(contrast(label, colour[ground])).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(grounds)('borders of controls and focus rings are visible on %s', (ground) => {
    expect(contrast(colour.control, colour[ground])).toBeGreaterThanOrEqual(3)
    expect(contrast(colour.primary, colour[ground])).toBeGreaterThanOrEqual(3)
  })

  it.each(['primary', 'warning', 'danger'] as const)('a meter filled with %s is visible on its track', (fill) => {
    expect(contrast(colour[fill], colour.track)).toBeGreaterThanOrEqual(3)
  })
})

it('measures as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
