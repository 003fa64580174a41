import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { useSetting } from '../../components/useSetting.ts'

const firstYear = 2026

/** Copyright and version: the server's if known (it tells administrators only), else the console's. */
export function Footer() {
  const translate = useTranslate()
  const server = useSetting()?.version
  const year = new Date().getFullYear()
  return (
    <Line>
      <span>© {year > firstYear ? `${firstYear}–${year}` : firstYear} Wheelhouse</span>
      <span>
        {server
          ? translate('app.shell.server_version', { version: server })
          : translate('app.shell.console_version', { version: __APP_VERSION__ })}
      </span>
    </Line>
  )
}

const Line = styled('footer')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  gap: '0 16px',
  padding: '16px 24px',
  color: theme.vars.palette.text.secondary,
  [theme.breakpoints.down('sm')]: { paddingInline: 16 },
}))
