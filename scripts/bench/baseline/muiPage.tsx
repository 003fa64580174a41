import {
  AppBar,
  Button,
  Checkbox,
  Container,
  CssBaseline,
  IconButton,
  LinearProgress,
  Menu,
  MenuItem,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TableSortLabel,
  TextField,
  ThemeProvider,
  Toolbar,
  Tooltip,
  Typography,
} from '@mui/material'
import { createTheme } from '@mui/material/styles'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type BaselineServer, columns } from './rows.ts'

/**
 * The least page of React and MUI that shows the same servers: a bar with a menu, a search, a table with headings that
 * sort, checkboxes and meters. It asks who is signed in, as every console does, and for the servers at the same time.
 */
const read = (path: string) => fetch(`/api/v1/${path}`).then(async (reply) => (await reply.json()).data)

function Page({ name, servers }: { name: string; servers: readonly BaselineServer[] }) {
  const [searched, setSearched] = useState('')
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const found = servers.filter((server) => server.name.includes(searched))
  return (
    <ThemeProvider theme={createTheme()}>
      <CssBaseline />
      <AppBar position="static">
        <Toolbar>
          <Typography variant="h6">Servers</Typography>
          <Button color="inherit" onClick={({ currentTarget }) => setAnchor(currentTarget)}>
            {name}
          </Button>
          <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
            <MenuItem>Sign out</MenuItem>
          </Menu>
        </Toolbar>
      </AppBar>
      <Container>
        <TextField label="Search" value={searched} onChange={({ target }) => setSearched(target.value)} />
        <Table>
          <TableHead>
            <TableRow>
              <TableCell padding="checkbox">
                <Checkbox />
              </TableCell>
              {columns.map(([heading]) => (
                <TableCell key={heading}>
                  <TableSortLabel>{heading}</TableSortLabel>
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {found.map((server) => (
              <TableRow key={server.id} aria-selected={false}>
                <TableCell padding="checkbox">
                  <Checkbox />
                </TableCell>
                {columns.map(([heading, key]) => (
                  <TableCell key={heading}>
                    {heading === 'CPU' ? (
                      <LinearProgress variant="determinate" value={Number(key(server, new Map()))} />
                    ) : (
                      key(server, new Map())
                    )}
                  </TableCell>
                ))}
                <TableCell>
                  <Tooltip title="More">
                    <IconButton>…</IconButton>
                  </Tooltip>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Container>
    </ThemeProvider>
  )
}

const [profile, servers] = await Promise.all([read('profile'), read('server')])
createRoot(document.getElementById('root') as HTMLElement).render(<Page name={profile.username} servers={servers} />)
