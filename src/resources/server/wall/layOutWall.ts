/** What stands on the wall: how many tiles of each kind. */
export interface WallContent {
  /** Pixels of the screen. */
  width: number
  height: number
  /** What is wrong, each a large tile as long as they fit. */
  troubles: number
  /** How many other tiles each section has; with several, each begins with a tile that names it. */
  sections: readonly number[]
}

/** Tiles of one size, side by side and below one another. */
interface TileSize {
  columns: number
  /** Pixels, the space between tiles included. */
  height: number
}

/** How many tiles of a section are shown; a last one says how many more there are, where some are. */
export interface ShownTiles {
  shown: number
  rest: number
}

export interface WallLayout {
  /** Pixels: what all texts are measured in, so that they are as large as the screen lets them be. */
  unit: number
  large: TileSize & { shown: number }
  small: TileSize
  /** What is wrong beyond the large tiles, in tiles of the others' size. */
  more: ShownTiles
  /** The first ones, where there are more of them than places. */
  sections: readonly ShownTiles[]
}

/** In units, and on small screens in pixels: the width of tiles, and the height for a width of 1. Tiles for trouble are at least as large as can be read from four metres on a screen of 55 inches. */
const sizes = {
  head: 4,
  large: { most: 30, least: 16, leastPixels: 180, shape: 0.4 },
  small: { most: 20, least: 6.6, leastPixels: 104, shape: 0.34 },
}

/** What is wrong takes at most this part of the height, as long as anything else is there. */
const largeShare = 0.6

/** Places as many tiles as fit, as large as they can be; trouble first, and larger than all else. */
export function layOutWall({ width, height, troubles, sections }: WallContent): WallLayout {
  const unit = Math.min(40, Math.max(8, Math.min(height / 54, width / 60)))
  const room = height - sizes.head * unit
  const others = sections.reduce((sum, count) => sum + count, 0)
  const forTrouble = others > 0 ? room * largeShare : room
  const large = fitting(sizes.large, (size) => troubles <= placesIn(forTrouble, size))
  const shownLarge = Math.min(troubles, placesIn(forTrouble, large))
  const left = room - Math.ceil(shownLarge / large.columns) * large.height
  const more = troubles - shownLarge
  const names = sections.length > 1 ? sections.length : 0
  const small = fitting(sizes.small, (size) => more + names + others <= placesIn(left, size))
  const places = placesIn(left, small)
  // Each group keeps its name, with how many of it are online, before anything of it is shown.
  const ofMore = Math.min(more, Math.max(0, places - names))
  return {
    unit,
    large: { ...large, shown: shownLarge },
    small,
    more: shownOf(more, ofMore),
    sections: share(sections, Math.max(0, places - names - ofMore)).slice(0, Math.max(1, places)),
  }

  /** The largest size that fits; the smallest one where none does. */
  function fitting(kind: typeof sizes.large, fits: (size: TileSize) => boolean): TileSize {
    const least = Math.min(width, Math.max(kind.least * unit, kind.leastPixels))
    for (let size = Math.max(least, kind.most * unit); ; size *= 0.96) {
      const wanted = Math.max(least, size)
      const columns = Math.max(1, Math.floor(width / wanted))
      const tile = { columns, height: Math.min(width / columns, wanted) * kind.shape }
      if (fits(tile) || size <= least) return tile
    }
  }
}

const placesIn = (room: number, { columns, height }: TileSize) => columns * Math.floor(room / height)

/** Gives each section its part of the places. */
function share(counts: readonly number[], places: number): ShownTiles[] {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all <= places) return counts.map((count) => ({ shown: count, rest: 0 }))
  return counts.map((count) => shownOf(count, Math.floor((count * places) / all)))
}

function shownOf(count: number, places: number): ShownTiles {
  if (count <= places) return { shown: count, rest: 0 }
  const shown = Math.max(0, places - 1)
  return { shown, rest: places > 0 ? count - shown : 0 }
}
