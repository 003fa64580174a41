import { styled } from '@mui/material/styles'
import { type ComponentProps, type ComponentType, createContext, type MouseEvent, use } from 'react'
import { LinkBase, useLocation, useTranslate } from 'react-admin'
import { createPath, useNavigate } from 'react-router'
import { AnnouncedFeaturesContext, hasFeature, type SectionScreen } from '../../../engine/define/page.tsx'
import { consolePath } from '../../../schemas/consolePath.ts'

/** One entry of the navigation. */
export interface MenuEntry {
  /** The whole path, such as `/dashboard/server-group`. */
  to: string
  /** Translation key of its label. */
  labelKey: string
  /**
   * Paths for which the entry is the current one, itself included: a section with tabs is current on all its tabs. A
   * path includes everything below it, except `/dashboard`, which includes only itself.
   */
  activeOn: string[]
  /** Only servers that announce this key of `wheelhouse` have its screen. */
  announced?: string
  /** Parts beside it, such as a number. */
  Badges?: readonly ComponentType[]
}

/** The entries of the navigation. `Console.tsx` makes them from the resource definitions: the layout knows no entities. */
export const MenuContext = createContext<MenuEntry[]>([])

/** The screens of the settings: without one that a person may see, the user menu does not lead there. */
export const SettingsContext = createContext<readonly SectionScreen[]>([])

/** Whether an entry is the current one for a path. */
export function isActive(entry: MenuEntry, pathname: string): boolean {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return entry.activeOn.some((place) => path === place || (place !== consolePath && path.startsWith(`${place}/`)))
}

/** The navigation's links: in a row in the header, or one below the other in the drawer. */
export function Navigation({ direction, onFollow }: { direction: 'row' | 'column'; onFollow?: () => void }) {
  const translate = useTranslate()
  const { pathname } = useLocation()
  const announced = use(AnnouncedFeaturesContext)
  const entries = use(MenuContext).filter((entry) => hasFeature(entry.announced, announced))
  return (
    <Nav aria-label={translate('app.shell.navigation')} data-direction={direction}>
      {entries.map((entry) => (
        <Entry key={entry.to}>
          <NavLink to={entry.to} onClick={onFollow} aria-current={isActive(entry, pathname) ? 'page' : undefined}>
            {translate(entry.labelKey)}
          </NavLink>
          {entry.Badges?.map((Badge, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the badges of an entry never change their order
            <Badge key={index} />
          ))}
        </Entry>
      ))}
    </Nav>
  )
}

const Nav = styled('nav')(({ theme }) => ({
  display: 'flex',
  "&[data-direction='row']": {
    alignSelf: 'stretch',
    gap: 4,
    marginInlineStart: 16,
    [theme.breakpoints.between('md', 'lg')]: { gap: 0, marginInlineStart: 8 },
    // In a window just wide enough, the site's name shrinks first, then the row scrolls.
    minWidth: 0,
    overflowX: 'auto',
    scrollbarWidth: 'none',
    [theme.breakpoints.down('md')]: { display: 'none' },
  },
  "&[data-direction='column']": { flexDirection: 'column', gap: 4, padding: 8 },
}))

const Entry = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'stretch',
  flex: 'none',
  // A badge belongs to the entry before it.
  '& > a + a': { marginInlineStart: -6, marginInlineEnd: 6 },
  [theme.breakpoints.between('md', 'lg')]: { '& > a + a': { marginInlineStart: -2, marginInlineEnd: 2 } },
  "[data-direction='column'] > & > a:first-of-type": { flex: 1 },
}))

const NavLink = styled(ScreenLink)(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'center',
  padding: '0 10px',
  // In the longest language all entries fit from 890 pixels on.
  [theme.breakpoints.between('md', 'lg')]: { padding: '0 6px', fontSize: 13 },
  fontWeight: 500,
  whiteSpace: 'nowrap',
  textDecoration: 'none',
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary },
  '&:focus-visible': { outlineOffset: -3, borderRadius: 6 },
  "&[aria-current='page']": { color: theme.vars.palette.text.primary },
  "[data-direction='row'] > * > &[aria-current='page']": {
    boxShadow: `inset 0 -2px ${theme.vars.palette.primary.main}`,
  },
  "[data-direction='column'] > * > &": { minHeight: 44, padding: '0 10px', borderRadius: 6, fontSize: 14 },
  "[data-direction='column'] > * > &[aria-current='page']": {
    color: theme.vars.palette.primary.main,
    backgroundColor: theme.vars.palette.sunken,
  },
}))

interface ScreenLinkProps extends Omit<ComponentProps<typeof LinkBase>, 'to'> {
  /** The whole path of a list. */
  to: string
}

/** A link to a list: its code is there, so that it is drawn at once. */
function ScreenLink({ to, onClick, ...props }: ScreenLinkProps) {
  const navigate = useNavigate()
  const location = useLocation()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    // As browsers do: the address that is there already is no step of the back button.
    navigate(to, { replace: createPath(location) === to, flushSync: true })
  }
  return <LinkBase {...props} to={to} onClick={follow} />
}
