import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import { LinkBase, useLocation } from 'react-admin'
import { useScreen } from '../../engine/define/screen.ts'
import type { SiteSettingKey } from '../../schemas/settings/siteSetting.ts'

/** Some settings with their heading, as on the page. */
export type SettingSection = readonly [section: string, keys: readonly SiteSettingKey[]]

/** In the address, in place of a section. */
const all = 'all'

/** The address of a section. */
export const sectionAddress = (section: string) => `?section=${encodeURIComponent(section)}`

interface SettingPagesProps {
  sections: readonly SettingSection[]
  children: (shown: readonly SettingSection[]) => ReactNode
}

/**
 * The settings a section at a time, or all at once, by `?section=` in the address. What is typed into the search is found
 * in all sections, by name and by explanation.
 */
export function SettingPages({ sections, children }: SettingPagesProps) {
  const { texts, translate } = useScreen()
  const { search } = useLocation()
  const [typed, setTyped] = useState('')
  const asked = new URLSearchParams(search).get('section')
  const current = asked === all || sections.some(([section]) => section === asked) ? asked : sections[0]?.[0]
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (section: string, key: SiteSettingKey) => {
    const text = [texts.section(section), texts.label(key), texts.help(key)].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = sections
    .map(([section, keys]): SettingSection => [section, keys.filter((key) => isFound(section, key))])
    .filter(([, keys]) => keys.length > 0)
  const shown = words.length > 0 ? found : sections.filter(([section]) => current === all || section === current)
  const label = translate('app.site.search')
  return (
    <Columns>
      <Side>
        <OutlinedInput
          type="search"
          size="small"
          fullWidth
          value={typed}
          placeholder={label}
          onChange={(event) => setTyped(event.target.value)}
          // Enter would review the changes.
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault()
          }}
          slotProps={{ input: { 'aria-label': label, maxLength: 100 } }}
        />
        <nav aria-label={translate('app.site.pages')}>
          {[...sections.map(([section]) => section), all].map((section) => (
            <LinkBase
              key={section}
              to={sectionAddress(section)}
              aria-current={words.length === 0 && section === current ? 'page' : undefined}
              onClick={() => setTyped('')}
            >
              {section === all ? translate('app.site.all') : texts.section(section)}
            </LinkBase>
          ))}
        </nav>
      </Side>
      <div>
        {shown.length === 0 ? <p role="status">{translate('app.list.no_results')}</p> : null}
        {children(shown)}
      </div>
    </Columns>
  )
}

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '220px minmax(0, 1fr)',
  gap: theme.spacing(2, 3),
  alignItems: 'start',
  '& > *': { minWidth: 0 },
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

const Side = styled('div')(({ theme }) => ({
  '& > nav': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, marginTop: theme.spacing(1.5) },
  '& a': {
    padding: theme.spacing(0.75, 1.25),
    borderRadius: 6,
    fontSize: 14,
    textDecoration: 'none',
    color: theme.vars.palette.text.secondary,
  },
  '& a:hover': { color: theme.vars.palette.text.primary, background: theme.vars.palette.action.hover },
  "& a[aria-current='page']": {
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.action.selected,
    fontWeight: 600,
  },
  [theme.breakpoints.up('md')]: { position: 'sticky', top: 72 },
  [theme.breakpoints.down('md')]: {
    '& > nav': { display: 'flex', overflowX: 'auto' },
    '& a': { display: 'flex', alignItems: 'center', minHeight: 44, boxSizing: 'border-box', whiteSpace: 'nowrap' },
  },
}))
