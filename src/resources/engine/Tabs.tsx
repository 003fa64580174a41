import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { LinkBase, useBasename, useDataProvider, useListContext, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useIsOffered } from './announced.tsx'
import type { Resource } from './defineResource.ts'
import { useScreen } from './screen.ts'

/** The screens of one section, as links to one another, with the counts that are known without asking. */
export function Tabs({ section }: { section: readonly Resource[] }) {
  const isOffered = useIsOffered()
  const translate = useTranslate()
  const tabs = section.filter(isOffered)
  if (tabs.length < 2) return null
  return (
    <Bar aria-label={translate('app.shell.tabs')}>
      {tabs.map((tab) => (
        <Tab key={tab.entity.name} tab={tab} />
      ))}
    </Bar>
  )
}

function Tab({ tab: { entity, path } }: { tab: Resource }) {
  const { entity: shown } = useScreen()
  const { total } = useListContext()
  const basename = useBasename()
  const translate = useTranslate()
  const loaded = useLoadedCount(entity.name)
  const isShown = entity === shown
  const count = isShown ? total : loaded
  return (
    <TabLink to={`${basename}/${path}`} aria-current={isShown ? 'page' : undefined}>
      {translate(`resources.${entity.name}.name`, { smart_count: 2 })}
      {count === undefined ? null : <small>{count}</small>}
    </TabLink>
  )
}

/** How many records a list has, if it was loaded before. */
function useLoadedCount(resource: string): number | undefined {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const [count, setCount] = useState<number>()
  useEffect(() => {
    let isCurrent = true
    dataProvider.loadedCount(resource).then((found) => isCurrent && setCount(found))
    return () => {
      isCurrent = false
    }
  }, [dataProvider, resource])
  return count
}

const Bar = styled('nav')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(0.5),
  marginBottom: theme.spacing(1.5),
  overflowX: 'auto',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

const TabLink = styled(LinkBase)(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'baseline',
  gap: theme.spacing(0.75),
  padding: theme.spacing(1, 1.5),
  fontWeight: 500,
  whiteSpace: 'nowrap',
  textDecoration: 'none',
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary },
  '&:focus-visible': { outlineOffset: -2, borderRadius: 6 },
  "&[aria-current='page']": {
    color: theme.vars.palette.text.primary,
    boxShadow: `inset 0 -2px ${theme.vars.palette.primary.main}`,
  },
  '& small': { fontSize: 12, fontWeight: 400, fontVariantNumeric: 'tabular-nums' },
}))
