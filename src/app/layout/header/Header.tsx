import MenuIcon from '@mui/icons-material/Menu'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { Suspense, use, useState } from 'react'
import { LinkBase, useTranslate } from 'react-admin'
import { Logo } from '../../../components/theme/Logo.tsx'
import { sizes } from '../../../components/theme/tokens.ts'
import { SiteNameContext } from '../../../engine/define/pageTitle.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import { Navigation } from './Navigation.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'
import { UserMenu } from './UserMenu.tsx'
import { VisitorsLink } from './VisitorsLink.tsx'

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
  flexShrink: 8,
  fontWeight: 600,
  textDecoration: 'none',
  color: theme.vars.palette.text.primary,
  '& > svg': { flex: 'none', color: theme.vars.palette.primary.main },
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: 280 },
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
