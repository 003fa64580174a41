import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense } from 'react'
import { useListContext, useLocaleState } from 'react-admin'
import { usePageTitle } from '../define/pageTitle.ts'
import type { Member } from '../define/place.ts'
import { useScreen } from '../define/screen.ts'
import { lazyPart } from '../parts/lazyPart.tsx'
import { Tabs } from '../Tabs.tsx'
import { ListFailure } from './ListFailure.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { PageLinks } from './PageLinks.tsx'
import { RecordCards } from './RecordCards.tsx'
import { RecordTable } from './RecordTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import { BulkBar } from './selection/BulkBar.tsx'
import { useListKeys } from './useListKeys.ts'

const KeyHelp = lazyPart(() => import('../palette/KeyHelp.tsx'))

const Frame = styled('div')(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  [theme.breakpoints.down('md')]: { background: 'none', border: 'none' },
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
export function RecordList({ section }: { section: readonly Member[] }) {
  const { definition, texts } = useScreen()
  const [locale] = useLocaleState()
  const { plural } = texts
  const { data, total, error, isPending } = useListContext()
  const narrow = useMediaQuery(
    (theme: { breakpoints: { down: (key: 'md') => string } }) => theme.breakpoints.down('md'),
    { noSsr: true },
  )
  usePageTitle(plural)
  const { isHelpOpen, closeHelp } = useListKeys()
  return (
    <section aria-label={plural} aria-busy={isPending}>
      <Title>
        {plural}
        {total === undefined ? null : <small>{total.toLocaleString(locale)}</small>}
      </Title>
      <Tabs section={section} current={definition.path} total={total} />
      <ListToolbar hasBulkActions={!narrow} />
      {/* Rows that are there stay: a refresh that failed took nothing from them. */}
      {error && data === undefined ? (
        <ListFailure />
      ) : (
        <RowMenu>
          <Frame>{narrow ? <RecordCards /> : <RecordTable />}</Frame>
          <PageLinks />
          {narrow ? <BulkBar /> : null}
        </RowMenu>
      )}
      {isHelpOpen ? (
        <Suspense>
          <KeyHelp onClose={closeHelp} />
        </Suspense>
      ) : null}
    </section>
  )
}
