import MenuIcon from '@mui/icons-material/Menu'
import Translate from '@mui/icons-material/Translate'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { Suspense, use, useState } from 'react'
import { LinkBase, useLocales, useTranslate } from 'react-admin'
import { PublicIcon } from '../../../components/icons.tsx'
import { useLanguageSwitch } from '../../../components/LanguageProvider.tsx'
import { MenuButton } from '../../../components/MenuButton.tsx'
import { Logo } from '../../../components/theme/Logo.tsx'
import { sizes } from '../../../components/theme/tokens.ts'
import { SiteNameContext } from '../../../engine/define/pageTitle.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { Navigation } from './Navigation.tsx'
import { PaletteButton } from './PaletteButton.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'
import { UserMenu } from './UserMenu.tsx'

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
