import AccountCircle from '@mui/icons-material/AccountCircleOutlined'
import System from '@mui/icons-material/ComputerOutlined'
import DarkMode from '@mui/icons-material/DarkModeOutlined'
import Keyboard from '@mui/icons-material/KeyboardOutlined'
import LightMode from '@mui/icons-material/LightModeOutlined'
import Logout from '@mui/icons-material/Logout'
import MenuIcon from '@mui/icons-material/Menu'
import NetworkCheck from '@mui/icons-material/NetworkCheck'
import SearchIcon from '@mui/icons-material/Search'
import Settings from '@mui/icons-material/SettingsOutlined'
import Translate from '@mui/icons-material/Translate'
import Undo from '@mui/icons-material/Undo'
import IconButton from '@mui/material/IconButton'
import { styled, useColorScheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, use, useState } from 'react'
import { LinkBase, useBasename, useLocales, useLogout, useNavigate, useTranslate } from 'react-admin'
import { PublicIcon } from '../../../components/icons.tsx'
import { useLanguageSwitch } from '../../../components/LanguageProvider.tsx'
import { MenuButton } from '../../../components/MenuButton.tsx'
import { Logo } from '../../../components/theme/Logo.tsx'
import { sizes } from '../../../components/theme/tokens.ts'
import { SiteNameContext, useIsAvailable } from '../../../engine/define/page.tsx'
import { keyHelpRequests, paletteRequests } from '../../../engine/palette/shortcuts.tsx'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { doctorPath, loginPath } from '../../../session/signInAddress.ts'
import { Navigation, SettingsContext } from './Navigation.tsx'

const NavigationDrawer = lazyPart(() => import('./NavigationDrawer.tsx'), { hasTexts: false })

/** The bar at the top: link to the home page, navigation and three menus. */
export function Header() {
  const translate = useTranslate()
  const siteName = use(SiteNameContext)
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <Bar>
      <NavigationButton
        color="inherit"
        aria-label={translate('app.shell.open_navigation')}
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </NavigationButton>
      <Home
        to="/dashboard"
        title={translate('app.shell.back_to_home')}
        aria-label={`${siteName}, ${translate('app.shell.back_to_home')}`}
      >
        <Logo />
        <span>{siteName}</span>
      </Home>
      <VisitorsLink />
      <Navigation direction="row" />
      <Tools>
        <PaletteButton />
        <LanguageMenu />
        <ThemeMenu />
        <UserMenu />
      </Tools>
      {isOpen === undefined ? null : (
        <Suspense>
          <NavigationDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  zIndex: theme.zIndex.appBar,
  display: 'flex',
  alignItems: 'center',
  height: sizes.header,
  paddingInline: 24,
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down('sm')]: { paddingInline: 8 },
}))

const NavigationButton = styled(IconButton)(({ theme }) => ({
  minWidth: 40,
  minHeight: 40,
  marginInlineEnd: 4,
  [theme.breakpoints.up('md')]: { display: 'none' },
}))

const Home = styled(LinkBase)(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minWidth: 24,
  minHeight: 44,
  flexShrink: 8,
  fontWeight: 600,
  textDecoration: 'none',
  color: theme.vars.palette.text.primary,
  '& > svg': { flex: 'none', color: theme.vars.palette.primary.main },
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: 280 },
  // Beside all entries of the navigation there is room for the mark alone.
  [theme.breakpoints.between('md', 'lg')]: { '& > span': { display: 'none' } },
}))

const Tools = styled('div')(({ theme }) => ({
  display: 'flex',
  flex: 'none',
  alignItems: 'center',
  gap: 4,
  marginInlineStart: 'auto',
  paddingInlineStart: 8,
  color: theme.vars.palette.text.secondary,
}))

/** The menu of languages, each by its own name. The i18n provider saves the choice. */
function LanguageMenu() {
  const translate = useTranslate()
  const languages = useLocales()
  const [current, choose] = useLanguageSwitch()
  return (
    <MenuButton
      label={translate('app.shell.language')}
      icon={<Translate fontSize="small" />}
      items={languages.map(({ locale, name }) => ({
        key: locale,
        label: name,
        lang: locale,
        checked: locale === current,
        onSelect: () => choose(locale),
      }))}
    />
  )
}

/** Leads to the page for visitors, at `/`, which all servers have, also behind a gateway. On phones there is no room. */
function VisitorsLink() {
  const translate = useTranslate()
  const label = translate('app.shell.visitors')
  return (
    <IconButton
      component="a"
      href="/"
      color="inherit"
      aria-label={label}
      title={label}
      sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
    >
      <PublicIcon />
    </IconButton>
  )
}

const modes = [
  { mode: 'light', Icon: LightMode },
  { mode: 'dark', Icon: DarkMode },
  { mode: 'system', Icon: System },
] as const

/** Light, dark, or the system's theme. The choice is saved in this browser and survives sign-outs. */
function ThemeMenu() {
  const translate = useTranslate()
  const { mode: chosen = 'system', setMode } = useColorScheme()
  const Current = modes.find(({ mode }) => mode === chosen)?.Icon ?? System
  return (
    <MenuButton
      label={translate('app.shell.theme')}
      icon={<Current fontSize="small" />}
      items={modes.map(({ mode, Icon }) => ({
        key: mode,
        label: translate(`app.shell.theme_${mode}`),
        icon: <Icon fontSize="small" />,
        checked: mode === chosen,
        onSelect: () => setMode(mode),
      }))}
    />
  )
}

/** The menu of the signed-in user. */
function UserMenu() {
  const translate = useTranslate()
  const logout = useLogout()
  const navigate = useNavigate()
  const basename = useBasename()
  const { identity } = useIdentity()
  const hasSettings = use(SettingsContext).some(useIsAvailable())
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('lg'))
  return (
    <MenuButton
      label={translate('app.shell.user_menu')}
      icon={<AccountCircle fontSize="small" />}
      text={isNarrow ? undefined : identity?.fullName}
      items={[
        {
          key: 'profile',
          label: translate('app.shell.profile'),
          icon: <AccountCircle fontSize="small" />,
          onSelect: () => navigate(`${basename}/profile`),
        },
        {
          key: 'recent_changes',
          label: translate('app.shell.recent_changes'),
          icon: <Undo fontSize="small" />,
          onSelect: () => navigate(`${basename}/recent-changes`),
        },
        ...(hasSettings
          ? [
              {
                key: 'settings',
                label: translate('app.shell.settings'),
                icon: <Settings fontSize="small" />,
                onSelect: () => navigate(`${basename}/settings`),
              },
            ]
          : []),
        {
          key: 'doctor',
          label: translate('app.shell.doctor'),
          icon: <NetworkCheck fontSize="small" />,
          // In a new tab, so that this page keeps its state.
          onSelect: () => window.open(doctorPath, '_blank', 'noopener'),
        },
        {
          key: 'keys',
          label: translate('app.shell.keys'),
          icon: <Keyboard fontSize="small" />,
          keyName: '?',
          onSelect: () => keyHelpRequests.emit(),
        },
        {
          key: 'logout',
          label: translate('app.shell.logout'),
          icon: <Logout fontSize="small" />,
          // After a sign-out the next user starts on the home page, not on the previous user's page.
          onSelect: () => logout({}, loginPath, false),
        },
      ]}
    />
  )
}

/** Pixels of the window from which the header has room for a field, in the language with the longest words. */
const fieldFrom = 1360

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the command palette. It looks like the field that it leads to, and says the key that does the same. */
function PaletteButton() {
  const translate = useTranslate()
  const label = translate('app.shell.search')
  return (
    <Field
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title={label}
      onClick={() => paletteRequests.emit()}
    >
      <SearchIcon fontSize="small" />
      <span>{label}</span>
      <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </Field>
  )
}

const Field = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minWidth: 32,
  height: 32,
  padding: 6,
  border: 0,
  borderRadius: 6,
  background: 'none',
  color: theme.vars.palette.text.secondary,
  font: 'inherit',
  fontSize: 13,
  whiteSpace: 'nowrap',
  cursor: 'pointer',
  '&:hover': { background: theme.vars.palette.action.hover, color: theme.vars.palette.text.primary },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '& svg': { flex: 'none' },
  [theme.breakpoints.down('sm')]: { minWidth: 44, height: 44, justifyContent: 'center' },
  [`@media (max-width: ${fieldFrom - 0.05}px)`]: {
    '& > span, & > kbd': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' },
  },
  [`@media (min-width: ${fieldFrom}px)`]: {
    minWidth: 200,
    marginInlineEnd: 4,
    border: `1px solid ${theme.vars.palette.control}`,
    '& > kbd': { marginInlineStart: 'auto', fontSize: 12 },
  },
}))
