import { styled } from '@mui/material/styles'
import { type ReactNode, use, useEffect, useRef, useState } from 'react'
import { DataProviderContext, LinkBase, useBasename, useLocaleState, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { isNamedPage, type SectionScreen, useIsAvailable } from '../define/page.tsx'

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

interface TabBarProps {
  label: string
  /** Changes when another tab is the current one, or when its place does: it is scrolled into view then. */
  current: string
  children: ReactNode
}

/**
 * Links between screens that belong together. On a phone the tabs are wider than the screen: the current one is scrolled
 * into view, as soon as the browser has laid it out and when its width changes. Test environments have no way to observe
 * that.
 */
export function TabBar({ label, current, children }: TabBarProps) {
  const bar = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be the current one
  useEffect(() => {
    const tab = bar.current?.querySelector('[aria-current]')
    if (!tab || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => {
      if (bar.current) scrollToMiddle(bar.current, tab)
    })
    observer.observe(tab)
    return () => observer.disconnect()
  }, [current])
  return (
    <Bar ref={bar} aria-label={label}>
      {children}
    </Bar>
  )
}

function scrollToMiddle(bar: HTMLElement, tab: Element): void {
  const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()]
  bar.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
}

const Bar = styled('nav')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(0.5),
  marginBottom: theme.spacing(1.5),
  overflowX: 'auto',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

/** A tab; the current one has `aria-current="page"`. */
export const TabLink = styled(LinkBase)(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'baseline',
  gap: theme.spacing(0.75),
  padding: theme.spacing(1, 1.5),
  fontWeight: 500,
  whiteSpace: 'nowrap',
  [theme.breakpoints.down('sm')]: { minHeight: 44, boxSizing: 'border-box', paddingBlock: theme.spacing(1.25) },
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
