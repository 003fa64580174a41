import { colours, type Scheme } from '../../theme/tokens.ts'

/**
 * The colours of lines in order: the primary colour first, then colours that differ from it and from one another, also
 * for people who do not see red or green. `tests/unit/custom/chartColours.test.ts` measures their contrast.
 */
export const lineColours: Record<Scheme, readonly string[]> = {
  light: [colours.light.primary, '#c2410c', '#4338ca', '#a16207', '#be185d', '#0369a1', '#4d7c0f', '#7e22ce'],
  dark: [colours.dark.primary, '#fb923c', '#a5b4fc', '#facc15', '#f472b6', '#38bdf8', '#a3e635', '#c084fc'],
}

/** Dash patterns, in pixels: none for the first use of each colour, then one for its second and its third. */
const dashes: readonly number[][] = [[], [6, 3], [2, 3]]

/** What a line looks like, by its position among all lines of its chart, shown or not. */
export function lineStyle(position: number, scheme: Scheme): { colour: string; dash: number[] } {
  const palette = lineColours[scheme]
  return {
    colour: palette[position % palette.length] as string,
    dash: dashes[Math.floor(position / palette.length) % dashes.length] as number[],
  }
}
