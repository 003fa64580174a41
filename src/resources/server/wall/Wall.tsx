import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Fragment, memo, use, useLayoutEffect, useMemo, useState } from 'react'
import { type RaRecord, useListContext } from 'react-admin'
import { createPortal } from 'react-dom'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { type LostConnection, useLostConnection } from '../../../components/useLostConnection.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { SiteNameContext } from '../../../engine/define/page.tsx'
import { type Section, sectionsOf } from '../../../engine/list/sections/sectionsOf.ts'
import { useSharedList } from '../../../engine/parts/useSharedList.ts'
import { useServerClock } from '../../../live/serverClock.ts'
import { useTrouble } from '../../../live/trouble.ts'
import { everyRowByName } from '../../../records/queryRows.ts'
import { serverGroup } from '../../../schemas/serverGroup.ts'
import { causeText, troubleWord } from '../trouble/troubleText.tsx'
import { layOutWall, type WallLayout } from './layOutWall.ts'
import { useLeaveWall, useWallLife } from './useWallLife.ts'

const noTroubles: never[] = []

/**
 * The servers of the list for a screen that nobody touches: a tile for each, as many as fit, what is wrong first and
 * large enough to be read from four metres. It covers the page, which goes on below: the live feed, the session and the
 * search for trouble are those of the list.
 */
export default function Wall() {
  const { data, filterValues } = useListContext<ServerRow>()
  const troubles = useTrouble((state) => state.troubles)
  const groups = useSharedList(serverGroup.name, everyRowByName)
  const lost = useLostConnection()
  const { width, height } = useWindowSize()
  const { isSeen, leave } = useLeaveWall()
  const { translate } = useLanguage()
  useWallLife(lost !== undefined)
  useCoveredPage()
  const isFiltered = Object.keys(filterValues).length > 0
  const tiles = useMemo(
    // Nothing is well before it is known what is not.
    () => wallTiles(troubles && data ? data : [], troubles ?? noTroubles, groups ?? [], isFiltered),
    [data, troubles, groups, isFiltered],
  )
  const counts = tiles.sections.map(({ rows }) => rows.length).join()
  const layout = useMemo(
    () =>
      layOutWall({
        width: width - 2 * edge,
        height: height - 2 * edge,
        troubles: tiles.troubles.length,
        sections: counts === '' ? [] : counts.split(',').map(Number),
      }),
    [width, height, tiles.troubles.length, counts],
  )
  const { unit, large } = layout
  return createPortal(
    <Screen
      aria-label={translate('app.view.wall')}
      data-idle={isSeen ? undefined : ''}
      data-lost={lost ? '' : undefined}
      style={{ '--unit': `${unit}px` } as object}
    >
      <Head
        servers={data?.length ?? 0}
        offline={tiles.troubles.filter(({ kind }) => kind === 'server_offline').length}
        wrong={tiles.troubles.length}
        isKnown={data !== undefined && troubles !== undefined}
        lost={lost}
      />
      <Tiles style={{ '--columns': large.columns, '--tile': `${large.height}px` } as object}>
        {tiles.troubles.slice(0, large.shown).map((trouble) => (
          <TroubleTile key={trouble.key} trouble={trouble} />
        ))}
      </Tiles>
      <WallSections layout={layout} more={tiles.troubles.slice(large.shown)} sections={tiles.sections} />
      <Button className="leave" variant="contained" onClick={leave}>
        {translate('app.view.leave')}
      </Button>
    </Screen>,
    document.body,
  )
}

interface HeadProps {
  servers: number
  offline: number
  wrong: number
  isKnown: boolean
  lost: LostConnection | undefined
}

/** What all is like, in one line: how many are online, how much is wrong, and the time, so that a wall that stands still is seen. */
function Head({ servers, offline, wrong, isKnown, lost }: HeadProps) {
  const { locale, translate } = useLanguage()
  const siteName = use(SiteNameContext)
  const now = useServerClock()
  const counted = (key: string, count: number) =>
    translate(key, { smart_count: count, count: formatNumber(count, locale) })
  const state = !isKnown
    ? translate('app.list.loading')
    : wrong === 0
      ? translate('app.trouble.none')
      : counted('app.view.wrong', wrong)
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(now)
  return (
    <Line role="status" data-wrong={wrong > 0 ? '' : undefined}>
      <strong>
        {lost
          ? translate(lost.isAway ? 'app.status.server_away' : 'app.status.live_stopped', {
              time: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(lost.since),
            })
          : state}
      </strong>
      <span>
        {isKnown ? `${counted('app.summary.online', servers - offline)} / ${formatNumber(servers, locale)}` : siteName}
      </span>
      <time>{time}</time>
    </Line>
  )
}

/** Pixels around everything. */
const edge = 8

function useWindowSize() {
  const [size, setSize] = useState(windowSize)
  useLayoutEffect(() => {
    const onResize = () => setSize(windowSize())
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [])
  return size
}

const windowSize = () => ({ width: window.innerWidth, height: window.innerHeight })

/** What is below the wall can be neither seen nor reached, and does not scroll. */
function useCoveredPage(): void {
  useLayoutEffect(() => {
    const page = document.getElementById('root')
    const { overflow } = document.documentElement.style
    page?.toggleAttribute('inert', true)
    document.documentElement.style.overflow = 'hidden'
    return () => {
      page?.toggleAttribute('inert', false)
      document.documentElement.style.overflow = overflow
    }
  }, [])
}

const Screen = styled('main')(({ theme }) => ({
  position: 'fixed',
  inset: 0,
  // Above the header, and below dialogs: who has to sign in again does it here.
  zIndex: theme.zIndex.drawer,
  padding: edge,
  overflow: 'hidden',
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.background.default,
  fontVariantNumeric: 'tabular-nums',
  '&[data-idle]': { cursor: 'none' },
  '&[data-lost] ul': { opacity: 0.4 },
  '& > .leave': { position: 'absolute', insetBlockEnd: 16, insetInlineEnd: 16, transition: 'opacity 0.2s' },
  '&[data-idle] > .leave:not(:focus-visible)': { opacity: 0, pointerEvents: 'none' },
}))

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 'calc(var(--unit) * 1.5)',
  height: 'calc(var(--unit) * 4)',
  boxSizing: 'border-box',
  paddingInline: 'calc(var(--unit) / 2)',
  fontSize: 'calc(var(--unit) * 1.7)',
  lineHeight: 1.1,
  whiteSpace: 'nowrap',
  '& > strong': {
    flex: 1,
    minWidth: 0,
    overflow: 'hidden',
    // Letters of some scripts are taller than the line.
    lineHeight: 1.5,
    textOverflow: 'ellipsis',
    color: theme.vars.palette.success.main,
  },
  '&[data-wrong] > strong': { color: theme.vars.palette.error.main },
  '[data-lost] > & > strong': { color: theme.vars.palette.warning.main },
}))

interface WallSectionsProps {
  layout: WallLayout
  /** What is wrong and does not fit as large tiles. */
  more: readonly Trouble[]
  sections: ReturnType<typeof wallTiles>['sections']
}

/** What is wrong beyond the large tiles, and the servers that are well: those of a group behind a tile with its name. */
function WallSections({ layout, more, sections }: WallSectionsProps) {
  const language = useLanguage()
  const { locale, translate } = language
  const count = (number: number) => formatNumber(number, locale)
  const online = translate('resources.server.values.online')
  const { columns, height } = layout.small
  return (
    <Tiles style={{ '--columns': columns, '--tile': `${height}px` } as object}>
      {more.slice(0, layout.more.shown).map((trouble) => (
        <SmallTile
          key={trouble.key}
          name={trouble.name}
          word={troubleWord(trouble, language)}
          severity={trouble.severity}
        />
      ))}
      {layout.more.rest > 0 ? (
        <SmallTile
          name={`+ ${count(layout.more.rest)}`}
          word={translate('app.view.wrong', { smart_count: layout.more.rest, count: '' }).trim()}
          severity="critical"
        />
      ) : null}
      {sections.slice(0, layout.sections.length).map(({ group, rows }, index) => (
        <Fragment key={group?.id ?? ''}>
          {sections.length > 1 ? (
            <SmallTile
              name={group?.name ?? translate('app.view.no_group')}
              word={translate('app.summary.online', { smart_count: rows.length, count: count(rows.length) })}
              severity="none"
            />
          ) : null}
          {rows.slice(0, layout.sections[index]?.shown).map(({ id, name, trouble }) => (
            <SmallTile
              key={id}
              name={name}
              word={trouble ? troubleWord(trouble, language) : online}
              severity={trouble ? 'silenced' : 'well'}
            />
          ))}
          {layout.sections[index]?.rest ? (
            <SmallTile name={`+ ${count(layout.sections[index].rest)}`} word={online} severity="well" />
          ) : null}
        </Fragment>
      ))}
    </Tiles>
  )
}

/** What is wrong, large: its word, whose it is, and why. */
const TroubleTile = memo(function TroubleTile({ trouble }: { trouble: Trouble }) {
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
const SmallTile = memo(function SmallTile({ name, word, severity }: SmallTileProps) {
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
const Tiles = styled('ul')({
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
