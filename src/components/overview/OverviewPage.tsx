import MoreHoriz from '@mui/icons-material/MoreHoriz'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LinkBase, type RaRecord, RecordContextProvider, useGetOne, useLocation, useParams } from 'react-admin'
import { useStartAction } from '../../engine/actions/ActionRunner.tsx'
import { usePageTitle } from '../../engine/define/page.ts'
import { type FormState, useAddresses, useScreen } from '../../engine/define/screen.ts'
import { EditIcon } from '../../engine/parts/LineIcon.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { mayOn } from '../../schemas/define/access.ts'
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
