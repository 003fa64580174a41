import { describe, expect, it } from 'vitest'
import { lineColours, lineStyle } from '../../../src/components/charts/plot/lineStyle.ts'
import { colours, type Scheme } from '../../../src/components/theme/tokens.ts'
import { contrast } from '../../support/console/contrast.ts'

describe.each<Scheme>(['light', 'dark'])('The lines of a chart, %s', (scheme) => {
  it.each(lineColours[scheme])('%s is visible on a dialog', (colour) => {
    expect(contrast(colour, colours[scheme].surface)).toBeGreaterThanOrEqual(3)
  })

  it('differ for three times as many lines as there are colours', () => {
    const looks = Array.from({ length: 24 }, (_, place) => JSON.stringify(lineStyle(place, scheme)))
    expect(new Set(looks).size).toBe(24)
  })
})
