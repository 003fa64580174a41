import MoreHoriz from '@mui/icons-material/MoreHoriz'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, Suspense, useMemo } from 'react'
import { LinkBase, useBasename, useTranslate } from 'react-admin'
import { formatDateTime, type Language } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { MenuButton } from '../../../components/MenuButton.tsx'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { filteredList } from '../../../engine/list/state/listQuery.ts'
import { useServerClock } from '../../../live/serverClock.ts'
import { useTrouble } from '../../../live/trouble.ts'
import { type Incident, incidentOf, useOpenIncidents } from '../../incident/columns.tsx'
import { causeText, momentText, troubleWord } from './troubleText.tsx'
import { useTroubleActions } from './useTroubleActions.tsx'

/** Where what it is about is shown; an agent that is turned away and the console itself have no such place. */
function addressOf(trouble: Trouble): string | undefined {
  if ('server_id' in trouble) return `server/${trouble.server_id}/overview`
  if ('service_id' in trouble) return `service/${trouble.service_id}/overview`
  if ('notification_id' in trouble) return `delivery${filteredList({ notification_id: trouble.notification_id })}`
  return undefined
}

/**
 * One thing that is wrong: what it is, why, since when, and what can be done about it.
 * @param isOwn whether the page is about the record, so that its name says nothing: alarms have that of their rule instead
 */
export function TroubleLine({ trouble, isOwn = false }: { trouble: Trouble; isOwn?: boolean }) {
  const language = useLanguage()
  const now = useServerClock()
  const basename = useBasename()
  const incidents = useOpenIncidents()
  const incident = useMemo(() => incidentOf(trouble, incidents), [trouble, incidents])
  const { actions, dialog } = useTroubleActions(trouble, incident)
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'), { noSsr: true })
  const incidentAddress = incident && `${basename}/incident/${incident.id}/overview`
  const { since, severity } = trouble
  const cause = [causeText(trouble, now, language), pausedText(trouble, incidents, language)]
    .filter(Boolean)
    .join(' · ')
  const address = addressOf(trouble)
  return (
    <Line data-severity={severity}>
      <Word>{troubleWord(trouble, language)}</Word>
      {isOwn ? (
        trouble.kind === 'alarm' && <Name title={trouble.rule_name}>{trouble.rule_name}</Name>
      ) : (
        <Name title={trouble.name}>
          {address ? <LinkBase to={`${basename}/${address}`}>{trouble.name}</LinkBase> : trouble.name}
        </Name>
      )}
      <Cause>
        <span title={cause}>{cause}</span>
        {incident?.state === 'acknowledged' && incidentAddress ? (
          <LinkBase to={incidentAddress}>{acknowledgedText(incident, now, language)}</LinkBase>
        ) : null}
      </Cause>
      <Since>
        {since === undefined ? null : (
          <time dateTime={new Date(since).toISOString()} title={formatDateTime(since, language.locale)}>
            {incidentAddress ? (
              <LinkBase to={incidentAddress}>{sinceText(since, now, language)}</LinkBase>
            ) : (
              sinceText(since, now, language)
            )}
          </time>
        )}
      </Since>
      <Actions>
        {isNarrow && actions.length > 0 ? (
          <MenuButton
            label={language.translate('app.list.actions_for', { name: trouble.name })}
            icon={<MoreHoriz fontSize="small" />}
            items={actions}
          />
        ) : (
          actions.map(({ key, label, onSelect }) => (
            <Button key={key} size="small" color="inherit" aria-label={`${label}: ${trouble.name}`} onClick={onSelect}>
              {label}
            </Button>
          ))
        )}
      </Actions>
      <Suspense>{dialog}</Suspense>
    </Line>
  )
}

const sinceText = (since: number, now: number, language: Language) =>
  language.translate('app.trouble.since', { time: momentText(since, now, language) })

/** How many alarms of a server that is offline are paused; '' for none. */
function pausedText(trouble: Trouble, incidents: readonly Incident[], { translate }: Language): string {
  if (trouble.kind !== 'server_offline') return ''
  const parts = incidents.flatMap(({ parts }) => parts ?? [])
  const count = parts.filter(({ paused, server_id }) => paused && server_id === trouble.server_id).length
  return count > 0 ? translate('app.trouble.paused', { smart_count: count }) : ''
}

/** Who is on it since when: 'Acknowledged by ann since 14:02'. Members are not told who, where others own parts of it. */
function acknowledgedText({ acknowledged_by, acknowledged_at }: Incident, now: number, language: Language): string {
  const { translate } = language
  const who = acknowledged_by
    ? translate('app.incident.acknowledged_by', { name: acknowledged_by })
    : translate('app.incident.acknowledged')
  return acknowledged_at ? `${who} ${sinceText(Date.parse(acknowledged_at), now, language)}` : who
}

/** The frame around lines. Without a box of its own it can be a part of another one. */
export const TroubleList = ({ label, children }: { label: string; children: ReactNode }) => (
  <List aria-label={label}>{children}</List>
)

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, max-content) minmax(0, 1fr) max-content max-content',
  columnGap: theme.spacing(1.5),
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  [theme.breakpoints.down('md')]: { display: 'block' },
}))

const Line = styled('li')(({ theme }) => ({
  display: 'grid',
  gridColumn: '1 / -1',
  gridTemplateColumns: 'subgrid',
  alignItems: 'center',
  minHeight: 36,
  padding: theme.spacing(0, 1, 0, 1.5),
  // Severity is a bar, a word and a place, and never a colour alone.
  borderInlineStart: `3px solid ${theme.vars.palette.error.main}`,
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  "&[data-severity='warning']": { borderInlineStartColor: theme.vars.palette.warning.main },
  "&[data-severity='silenced']": { borderInlineStartColor: theme.vars.palette.control },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: 'max-content minmax(0, 1fr) auto',
    columnGap: theme.spacing(1),
    padding: theme.spacing(0.5, 0.5, 0.5, 1.25),
  },
}))

const Word = styled('strong')(({ theme }) => ({
  fontWeight: 600,
  whiteSpace: 'nowrap',
  color: theme.vars.palette.error.main,
  "[data-severity='warning'] > &": { color: theme.vars.palette.warning.main },
  "[data-severity='silenced'] > &": { color: theme.vars.palette.text.secondary },
}))

const clipped = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

const Name = styled('span')(({ theme }) => ({
  ...clipped,
  maxWidth: '32ch',
  minWidth: 0,
  fontWeight: 600,
  '& a': { color: 'inherit', textDecoration: 'none' },
  '& a:hover': { textDecoration: 'underline' },
  [theme.breakpoints.down('md')]: { maxWidth: 'none' },
}))

const quietLink = { color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } } as const

const Cause = styled('span')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(0, 1.5),
  minWidth: 0,
  gridColumn: '-4 / -3',
  color: theme.vars.palette.text.secondary,
  '& > span': clipped,
  // Who is on it is read before the end of a long cause.
  '& > a': { ...quietLink, ...clipped, flexShrink: 0, maxWidth: '70%', color: theme.vars.palette.text.primary },
  [theme.breakpoints.down('md')]: {
    gridColumn: '1 / 3',
    gridRow: 2,
    flexWrap: 'wrap',
    '& > span, & > a': { whiteSpace: 'normal', overflowWrap: 'anywhere', maxWidth: '100%' },
    // The names of three servers that cannot reach a service would fill the screen.
    '& > span': { display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: 2 },
  },
}))

const Since = styled('span')(({ theme }) => ({
  gridColumn: '-3 / -2',
  whiteSpace: 'nowrap',
  color: theme.vars.palette.text.secondary,
  '& a': quietLink,
  // The cause says for how long.
  [theme.breakpoints.down('md')]: { display: 'none' },
}))

const Actions = styled('span')(({ theme }) => ({
  display: 'flex',
  gridColumn: '-2 / -1',
  justifyContent: 'flex-end',
  // As wide as its menu, which comes when it is known what can be done.
  [theme.breakpoints.down('md')]: {
    gridColumn: 3,
    gridRow: '1 / 3',
    minWidth: 44,
    '& button': { minHeight: 44, minWidth: 44 },
  },
}))

interface TroubleBannerProps {
  kind: 'server' | 'service'
  id: number
  /** Whether there will be a line as soon as it is known what is wrong: its place is kept, so that nothing moves. */
  isExpected?: boolean
}

/** All that is wrong with the server or the service of a page, in the words of the strip; nothing while it is well. */
export function TroubleBanner({ kind, id, isExpected = false }: TroubleBannerProps) {
  const translate = useTranslate()
  const all = useTrouble((state) => state.troubles)
  const troubles = useMemo(() => all?.filter((trouble) => isAbout(trouble, kind, id)) ?? [], [all, kind, id])
  if (all === undefined && isExpected) return <Banner sx={{ height: { xs: 55, md: 37 } }} />
  if (troubles.length === 0) return null
  return (
    <Banner>
      <TroubleList label={translate('app.trouble.label')}>
        {troubles.map((trouble) => (
          <TroubleLine key={trouble.key} trouble={trouble} isOwn />
        ))}
      </TroubleList>
    </Banner>
  )
}

const isAbout = (trouble: Trouble, kind: TroubleBannerProps['kind'], id: number) =>
  kind === 'server'
    ? 'server_id' in trouble && trouble.server_id === id
    : 'service_id' in trouble && trouble.service_id === id

const Banner = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(2),
  overflow: 'hidden',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))
