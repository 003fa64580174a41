import { use, useState } from 'react'
import { DataProviderContext, useBasename, useLocaleState, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useIsAvailable } from '../define/announcedFeatures.ts'
import { isNamedPage, type SectionScreen } from '../define/namedPage.ts'
import { TabBar, TabLink } from './TabBar.tsx'

interface SectionTabsProps {
  section: readonly SectionScreen[]
  /** The path of the screen that is shown. */
  current: string
  /** How many records that has, when it is a list. */
  total?: number
}

/** Links between the screens of one section, with the counts of lists that are loaded. */
export function SectionTabs({ section, current, total }: SectionTabsProps) {
  const isAvailable = useIsAvailable()
  const translate = useTranslate()
  const tabs = section.filter(isAvailable)
  if (tabs.length < 2) return null
  return (
    <TabBar label={translate('app.shell.tabs')} current={`${current} ${tabs.length}`}>
      {tabs.map((tab) => {
        const { path } = tab
        const isShown = path === current
        if (isNamedPage(tab)) return <Tab key={path} path={path} isShown={isShown} label={translate(tab.labelKey)} />
        const name = tab.entity.name
        const label = translate(`resources.${name}.name`, { smart_count: 2 })
        const count = isShown ? total : undefined
        return <ListTab key={path} path={path} isShown={isShown} label={label} resource={name} total={count} />
      })}
    </TabBar>
  )
}

interface TabProps {
  path: string
  isShown: boolean
  label: string
  total?: number
}

function Tab({ path, isShown, label, total }: TabProps) {
  const [locale] = useLocaleState()
  const basename = useBasename()
  return (
    <TabLink to={`${basename}/${path}`} aria-current={isShown ? 'page' : undefined}>
      {label}
      {total === undefined ? null : <small>{total.toLocaleString(locale)}</small>}
    </TabLink>
  )
}

function ListTab({ resource, ...tab }: TabProps & { resource: string }) {
  // React-admin's `useDataProvider` makes a promise of every answer, and another drawing of the tabs.
  const { loadedRows } = use(DataProviderContext) as Partial<ConsoleDataProvider>
  // As of the first drawing: the tabs stay where they are.
  const [loaded] = useState(() => loadedRows?.(resource)?.length)
  return <Tab {...tab} total={tab.isShown ? tab.total : loaded} />
}
