import { styled } from '@mui/material/styles'
import { memo } from 'react'
import type { RaRecord } from 'react-admin'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { type Section, sectionsOf } from '../../../engine/list/sections/sectionsOf.ts'
import { useServerClock } from '../../../live/serverClock.ts'
import { causeText, troubleWord } from '../trouble/troubleText.tsx'

/** What is wrong, large: its word, whose it is, and why. */
export const TroubleTile = memo(function TroubleTile({ trouble }: { trouble: Trouble }) {
  const language = useLanguage()
  const cause = causeText(trouble, useServerClock(), language)
  return (
    <Tile data-severity={trouble.severity}>
      <div>
        <strong>{troubleWord(trouble, language)}</strong>
        <b>{trouble.name}</b>
        <span>{cause}</span>
      </div>
    </Tile>
  )
})

interface SmallTileProps {
  name: string
  word: string
  /** `well` for a server without trouble, `none` for a tile that is no server. */
  severity: Trouble['severity'] | 'well' | 'none'
}

/** A server among many: its name and its state. */
export const SmallTile = memo(function SmallTile({ name, word, severity }: SmallTileProps) {
  return (
    <Tile data-severity={severity} data-small="">
      <div>
        <b>{name}</b>
        <strong>{word}</strong>
      </div>
    </Tile>
  )
})

/** Tiles of one size: `--columns` side by side, each `--tile` high. */
export const Tiles = styled('ul')({
  display: 'grid',
  gridTemplateColumns: 'repeat(var(--columns), minmax(0, 1fr))',
  gridAutoRows: 'var(--tile)',
  margin: 0,
  padding: 0,
  listStyle: 'none',
})

const Tile = styled('li')(({ theme }) => ({
  minWidth: 0,
  padding: 'calc(var(--unit) * 0.15)',
  '& > div': {
    height: '100%',
    boxSizing: 'border-box',
    overflow: 'hidden',
    padding: 'calc(var(--tile) * 0.08) calc(var(--tile) * 0.12)',
    border: `2px solid ${theme.vars.palette.error.main}`,
    borderRadius: theme.shape.borderRadius,
    color: theme.vars.palette.error.contrastText,
    background: theme.vars.palette.error.main,
    // A word, a name and two lines of a cause fit.
    fontSize: 'calc(var(--tile) * 0.175)',
    lineHeight: 1.2,
  },
  '& strong, & b': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& strong': { fontWeight: 500 },
  '& b': { fontWeight: 700, fontSize: '1.15em' },
  '& span': {
    display: '-webkit-box',
    overflow: 'hidden',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    fontSize: '0.8em',
    overflowWrap: 'anywhere',
  },
  "&[data-severity='warning'] > div": {
    color: theme.vars.palette.warning.contrastText,
    background: theme.vars.palette.warning.main,
    borderColor: theme.vars.palette.warning.main,
  },
  "&:is([data-severity='well'], [data-severity='silenced'], [data-severity='none']) > div": {
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.background.paper,
    borderColor: theme.vars.palette.divider,
  },
  "&[data-severity='none'] > div": { background: theme.vars.palette.sunken },
  "&[data-severity='well'] > div": { borderInlineStartColor: theme.vars.palette.success.main },
  "&[data-severity='silenced'] > div": { borderInlineStartColor: theme.vars.palette.control },
  "&[data-severity='well'] strong": { color: theme.vars.palette.success.main },
  '&[data-small] > div': {
    padding: 'calc(var(--tile) * 0.05) calc(var(--tile) * 0.1)',
    borderInlineStartWidth: 'calc(var(--tile) * 0.1)',
    fontSize: 'calc(var(--tile) * 0.3)',
  },
  '&[data-small] b': { fontSize: '1em' },
}))

/** A server on the wall; `trouble` is the worst of it that somebody has silenced. */
interface ServerTile {
  id: number
  name: string
  trouble?: Trouble
}

interface WallTiles {
  /** What is wrong, worst first: each server once, with the worst of it. */
  troubles: readonly Trouble[]
  /** The other servers by groups, by name. */
  sections: readonly Section<ServerTile>[]
}

/**
 * What the wall shows of servers and of what is wrong.
 * @param isFiltered whether these are some of the servers, so that other trouble is about something else
 */
export function wallTiles(
  rows: readonly ServerRow[],
  troubles: readonly Trouble[],
  groups: readonly RaRecord[],
  isFiltered: boolean,
): WallTiles {
  const ids = new Set(rows.map(({ id }) => Number(id)))
  const worst = new Map<number, Trouble>()
  const loud = troubles.filter((trouble) => {
    if (!('server_id' in trouble)) return !isFiltered && trouble.severity !== 'silenced'
    const id = trouble.server_id
    if (!ids.has(id) || worst.has(id)) return false
    worst.set(id, trouble)
    return trouble.severity !== 'silenced'
  })
  const others = rows.flatMap(({ id, name }): ServerTile[] => {
    const trouble = worst.get(Number(id))
    return trouble && trouble.severity !== 'silenced' ? [] : [{ id: Number(id), name, trouble }]
  })
  others.sort((one, other) => collator.compare(one.name, other.name))
  return { troubles: loud, sections: sectionsOf(others, groups, 'servers') }
}

const collator = new Intl.Collator(undefined, { numeric: true })
