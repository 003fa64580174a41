import Close from '@mui/icons-material/Close'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { use } from 'react'
import { useTranslate } from 'react-admin'
import { PublicIcon } from '../../../components/icons.tsx'
import { sizes } from '../../../components/theme/tokens.ts'
import { SiteNameContext } from '../../../engine/define/page.tsx'
import { Navigation } from './Navigation.tsx'

/** The navigation of narrow windows. It is hidden in wide ones, even if it was open when the window grew. */
export default function NavigationDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const translate = useTranslate()
  const siteName = use(SiteNameContext)
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      sx={{ display: { md: 'none' } }}
      slotProps={{ paper: { sx: { width: 280 }, 'aria-label': translate('app.shell.navigation') } }}
    >
      <Top>
        <span>{siteName}</span>
        <IconButton aria-label={translate('app.shell.close_navigation')} onClick={onClose}>
          <Close fontSize="small" />
        </IconButton>
      </Top>
      <Navigation direction="column" onFollow={onClose} />
      <Visitors href="/">
        <PublicIcon />
        {translate('app.shell.visitors')}
      </Visitors>
    </Drawer>
  )
}

/** The header of a phone has no room for it. */
const Visitors = styled('a')(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 44,
  margin: theme.spacing(0, 1),
  paddingInline: 10,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.text.secondary,
  textDecoration: 'none',
  [theme.breakpoints.up('sm')]: { display: 'none' },
}))

const Top = styled('div')(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  height: sizes.header,
  flex: 'none',
  padding: '0 12px 0 18px',
  fontWeight: 600,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
}))
