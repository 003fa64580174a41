import MoreHoriz from '@mui/icons-material/MoreHoriz'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import {
  type Identifier,
  LinkBase,
  type RaRecord,
  RecordContextProvider,
  useGetList,
  useGetOne,
  useLocation,
  useParams,
  useTranslate,
} from 'react-admin'
import { useStartAction } from '../../engine/actions/ActionRunner.tsx'
import { usePageTitle } from '../../engine/define/page.tsx'
import { type FormState, useAddresses, useScreen } from '../../engine/define/screen.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { EditIcon } from '../../engine/parts/LineIcon.tsx'
import { everyRowByName } from '../../records/queryRows.ts'
import { allows, mayOn } from '../../schemas/define/access.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { BackLink } from '../BackLink.tsx'
import { NotFoundPage } from '../ErrorPage.tsx'
import { MenuButton } from '../MenuButton.tsx'
import { PageSkeleton } from '../PageSkeleton.tsx'
import { PageTitle } from '../Panel.tsx'

interface OverviewPageProps<Record extends RaRecord> {
  /** Below the name: how it is, and since when. */
  state: (record: Record) => ReactNode
  /** Above all else: what is wrong with it. */
  banner: (record: Record) => ReactNode
  /** Buttons before Edit, for those who may do more than look. */
  buttons?: (record: Record) => ReactNode
  /** Across the page: the metrics that matter most. */
  metrics: (record: Record) => ReactNode
  /** What takes the width: charts and lists. */
  main: (record: Record) => ReactNode
  /** At the side, or below where there is no room beside: what it is, and what belongs to it. */
  aside: (record: Record) => ReactNode
}

/** The page of the record in the address: its name, state and buttons, and two columns where there is room. */
export function OverviewPage<Record extends RaRecord>(parts: OverviewPageProps<Record>) {
  const { id = '' } = useParams()
  const { entity } = useScreen()
  const { data, error, refetch } = useGetOne<Record>(entity.name, { id })
  // Deleted by somebody else while it is on screen: what was there is no longer true.
  if ((error as { status?: number } | null)?.status === 404) return <NotFoundPage />
  if (data) return <Loaded {...parts} record={data} />
  if (!error) return <PageSkeleton isRecord />
  return (
    <>
      <BackToList />
      <RetryAlert error={error} onRetry={refetch} sx={{ marginTop: 1 }} />
    </>
  )
}

function BackToList() {
  const { texts } = useScreen()
  return <BackLink to={useAddresses().list.pathname}>{texts.plural}</BackLink>
}

function Loaded<Record extends RaRecord>({
  record,
  state,
  banner,
  buttons,
  metrics,
  main,
  aside,
}: OverviewPageProps<Record> & { record: Record }) {
  const { texts, translate } = useScreen()
  const name = texts.nameOf(record)
  usePageTitle(name)
  return (
    <RecordContextProvider value={record}>
      <Head>
        <div>
          <BackToList />
          <PageTitle>{name}</PageTitle>
          <State>
            {state(record)}
            {mayOn(record, 'configure') ? null : <small>{translate('app.list.read_only')}</small>}
          </State>
        </div>
        <OverviewActions record={record}>{mayOn(record, 'act') ? buttons?.(record) : null}</OverviewActions>
      </Head>
      {banner(record)}
      {metrics(record)}
      <Columns>
        <div>{main(record)}</div>
        <div>{aside(record)}</div>
      </Columns>
    </RecordContextProvider>
  )
}

const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-end',
  justifyContent: 'space-between',
  gap: theme.spacing(1.5, 3),
  marginBottom: theme.spacing(2),
  '& > div:first-of-type': { minWidth: 0, [theme.breakpoints.down('sm')]: { flexBasis: '100%' } },
  '& h1': { margin: theme.spacing(0.5, 0), overflowWrap: 'anywhere' },
}))

const State = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0.5, 1.5),
  minHeight: 24,
  fontVariantNumeric: 'tabular-nums',
  '& small': { fontSize: 13, color: theme.vars.palette.text.secondary },
}))

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(0, 2),
  [theme.breakpoints.up('lg')]: { gridTemplateColumns: 'minmax(0, 1fr) 340px' },
}))

/**
 * What can be done with the record, as in its row of the list. Only deleting is left to the list: there is nothing here
 * to see afterwards.
 * @param children buttons before these
 */
function OverviewActions({ record, children }: { record: RaRecord; children: ReactNode }) {
  const { offers, rowActions, texts, translate } = useScreen()
  const addresses = useAddresses()
  const { pathname, search } = useLocation()
  const start = useStartAction()
  const name = texts.nameOf(record)
  const openedFrom = `${pathname}${search}`
  const others = rowActions.filter((action) => typeof action !== 'string' && offers(action, record))
  return (
    <Buttons>
      {children}
      {rowActions.includes('edit') && offers('edit', record) ? (
        <Button
          component={LinkBase}
          to={{ pathname: addresses.edit(record.id).pathname }}
          state={{ openedFrom } satisfies FormState}
          variant="contained"
          startIcon={<EditIcon />}
          aria-label={translate('app.action.edit_named', { name })}
        >
          {translate('app.overview.edit')}
        </Button>
      ) : null}
      {others.length > 0 ? (
        <MenuButton
          label={translate('app.list.actions_for', { name })}
          icon={<MoreHoriz fontSize="small" />}
          items={others.map((action) => {
            const key = typeof action === 'string' ? action : action.action
            return { key, label: texts.action(key, 'label'), onSelect: () => start(action as never, [record], 'row') }
          })}
        />
      ) : null}
    </Buttons>
  )
}

const Buttons = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
}))

interface RelatedListProps {
  entity: Entity
  title: string
  /** Whether a record belongs to what the page is about. */
  isRelated: (record: RaRecord) => boolean
  /** What stands below and beside its name. */
  detail?: (record: RaRecord) => ReactNode
  /** What is said without any. */
  none?: string
}

/** More are drawn when somebody asks for them. */
const firstShown = 8

/** Records of another entity that belong to what the page is about, by name. Absent for those who may not list them. */
export function RelatedList({ entity, title, isRelated, detail, none }: RelatedListProps) {
  const translate = useTranslate()
  const { identity } = useIdentity()
  const mayList = allows(identity?.role, entity.access.list)
  const { data, error, refetch, isPending } = useGetList(entity.name, everyRowByName, { enabled: mayList })
  const related = (data ?? []).filter(isRelated)
  const { shown, hidden, showAll } = useFirstRows(related, firstShown)
  if (!mayList) return null
  return (
    <Group data-pending={isPending}>
      <h3>
        {title} {related.length > 0 ? <small>{related.length}</small> : null}
      </h3>
      {error && !data ? <RetryAlert error={error} onRetry={refetch} /> : null}
      {data && related.length === 0 ? <p>{none ?? translate('app.overview.none')}</p> : null}
      <ul>
        {shown.map((record) => (
          <li key={record.id}>
            <RecordLink entity={entity.name} record={record}>
              {record.name || `#${record.id}`}
            </RecordLink>
            {detail?.(record)}
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <button type="button" onClick={showAll}>
          {translate('app.list.more', { count: hidden })}
        </button>
      ) : null}
    </Group>
  )
}

interface RecordLinkProps {
  entity: string
  record: { id: Identifier }
  /** A dialog of the record that has an address, instead of its form. */
  dialog?: string
  children: ReactNode
}

/** Links to the overview of a record, or to its form, which leads back here; plain text where it may not be opened. */
export function RecordLink({ entity, record, dialog, children }: RecordLinkProps) {
  const { pathname, search } = useLocation()
  const address = useRecordAddress(entity, dialog)(record)
  if (!address) return <span>{children}</span>
  return (
    <LinkBase to={address} state={{ openedFrom: `${pathname}${search}` } satisfies FormState}>
      {children}
    </LinkBase>
  )
}

const Group = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(1),
  fontSize: 13,
  // Room for a record, or for the words that there is none.
  '&[data-pending=true] > ul': { minHeight: 28 },
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { margin: 0, fontSize: 13, fontWeight: 600 },
  '& h3 > small': { fontWeight: 400, color: theme.vars.palette.text.secondary },
  '& p': { margin: 0, lineHeight: '28px', color: theme.vars.palette.text.secondary },
  '& ul': { margin: 0, padding: 0, listStyle: 'none' },
  '& li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 1.5),
    minHeight: 28,
    overflowWrap: 'anywhere',
  },
  // A state with a note may take two lines.
  '& li > *': { flexWrap: 'wrap', minWidth: 0 },
  '& li > a': { color: theme.vars.palette.primary.main, textDecoration: 'none' },
  '& li > a:hover': { textDecoration: 'underline' },
  '& li small': { fontSize: 12, color: theme.vars.palette.text.secondary },
  '& > button': {
    minHeight: 28,
    padding: 0,
    border: 0,
    background: 'none',
    font: 'inherit',
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
    textDecoration: 'underline dotted',
  },
  [theme.breakpoints.down('sm')]: {
    '& li': { minHeight: 44 },
    '& li > a': { display: 'flex', alignItems: 'center', minHeight: 44 },
    '& > button': { minHeight: 44 },
  },
}))

/** The first rows of a list; all of them after `showAll`. */
export function useFirstRows<Row>(rows: readonly Row[], count: number) {
  const [isAllShown, setAllShown] = useState(false)
  const shown = isAllShown ? rows : rows.slice(0, count)
  return { shown, hidden: rows.length - shown.length, showAll: () => setAllShown(true) }
}

/** Says how many rows are not shown, and shows them; absent when there are none. */
export function ShowAllButton({ hidden, showAll }: Pick<ReturnType<typeof useFirstRows>, 'hidden' | 'showAll'>) {
  const translate = useTranslate()
  if (hidden === 0) return null
  return (
    <Button size="small" onClick={showAll}>
      {translate('app.list.more', { count: hidden })}
    </Button>
  )
}
