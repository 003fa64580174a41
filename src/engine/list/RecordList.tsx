import { styled } from '@mui/material/styles'
import { Suspense, useEffect } from 'react'
import { useListContext, useLocaleState, useTranslate } from 'react-admin'
import { SkipLink } from '../../components/SkipLink.tsx'
import { sizes } from '../../components/theme/tokens.ts'
import type { SectionScreen } from '../define/namedPage.ts'
import { usePageTitle } from '../define/pageTitle.ts'
import { useRefusedLists } from '../define/RefusedLists.tsx'
import { useScreen } from '../define/screen.ts'
import { OrderByHand } from '../order/OrderByHand.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { RetryAlert } from '../parts/RetryAlert.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { PageLinks } from './PageLinks.tsx'
import { RecordTable } from './RecordTable.tsx'
import { RowMenu } from './row/RowMenu.tsx'
import { SectionTabs } from './SectionTabs.tsx'
import { BulkBar } from './selection/BulkBar.tsx'
import { useListView } from './state/listView.tsx'
import { focusFirstRow, useListShortcuts } from './useListShortcuts.ts'

const RecordCards = lazyPart(() => import('./RecordCards.tsx'), { hasTexts: false })
// A phone has them at once: what has suspended stays hidden for a while.
if (window.innerWidth < sizes.narrow) void RecordCards.prepare()

const Frame = styled('div')(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '&[data-view=cards]': { background: 'none', border: 'none' },
}))

const Title = styled('h1')(({ theme }) => ({
  margin: theme.spacing(2, 0, 1.5),
  ...theme.typography.h1,
  '& small': {
    marginLeft: theme.spacing(1),
    fontSize: '0.8em',
    fontWeight: 400,
    color: theme.vars.palette.text.secondary,
  },
}))

/** Title, toolbar, rows and page links of a list; rows are cards on narrow screens. */
export function RecordList({ section }: { section: readonly SectionScreen[] }) {
  const { definition, entry, texts, translate } = useScreen()
  const [locale] = useLocaleState()
  const { plural } = texts
  const { data, total, error, isPending } = useListContext()
  const { view, isNarrow } = useListView()
  usePageTitle(plural)
  useListShortcuts()
  if (view === 'wall' && definition.Wall)
    return (
      <Suspense>
        <definition.Wall />
      </Suspense>
    )
  return (
    <section aria-label={plural} aria-busy={isPending}>
      <OrderByHand>
        {total ? <SkipLink onFollow={focusFirstRow}>{translate('app.shell.skip_to_rows')}</SkipLink> : null}
        <Title>
          {plural}
          {total === undefined ? null : <small>{total.toLocaleString(locale)}</small>}
        </Title>
        <SectionTabs section={section} current={entry.path} total={total} />
        {definition.Summary ? <definition.Summary /> : null}
        <ListToolbar isNarrow={isNarrow} hasSheet={view === 'cards'} />
        {/* Rows that are loaded stay on screen when a refresh fails. */}
        {error && data === undefined ? (
          <ListError />
        ) : (
          <RowMenu>
            <Frame data-view={view}>
              {view === 'cards' ? (
                <Suspense fallback={<div style={{ minHeight: '100dvh' }} />}>
                  <RecordCards />
                </Suspense>
              ) : (
                <RecordTable />
              )}
            </Frame>
            <PageLinks />
            {isNarrow ? <BulkBar /> : null}
          </RowMenu>
        )}
      </OrderByHand>
    </section>
  )
}

/** The server's error in place of rows: an empty table would say that there are none. */
function ListError() {
  const { entity } = useScreen()
  const { markRefused } = useRefusedLists()
  const { error, refetch } = useListContext()
  const translate = useTranslate()
  const words = (error as Error | null)?.message
  const isRefused = words === 'permission denied'
  useEffect(() => {
    if (isRefused) markRefused(entity.name)
  }, [isRefused, entity.name, markRefused])
  const message = translate(words || 'app.toast.unexpected')
  return <RetryAlert onRetry={refetch}>{translate('app.list.error', { error: message })}</RetryAlert>
}
