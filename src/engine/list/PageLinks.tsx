import { styled } from '@mui/material/styles'
import usePagination from '@mui/material/usePagination'
import { memo, useId } from 'react'
import { useEvent, useListContext, useLocaleState, useTranslate } from 'react-admin'
import { everyRow } from '../../records/wholeList.ts'
import { useScreen } from '../define/screen.ts'
import { fittingSize } from './state/listQuery.ts'
import { useListView, usePageSize } from './state/listView.tsx'

const pageSizes = [10, 20, 50, 100]

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 3),
  padding: theme.spacing(1.5, 0),
  color: theme.vars.palette.text.secondary,
  fontSize: 13,
  '& nav': { marginLeft: 'auto' },
  '& ul': { display: 'flex', flexWrap: 'wrap', gap: 2, margin: 0, padding: 0, listStyle: 'none' },
  '& li > *': {
    display: 'block',
    boxSizing: 'border-box',
    minWidth: 28,
    height: 28,
    padding: '0 6px',
    border: 0,
    borderRadius: 14,
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    lineHeight: '28px',
    textAlign: 'center',
  },
  '& button': { cursor: 'pointer' },
  '& .previous::before': { content: '"‹"', fontSize: 18 },
  '& .next::before': { content: '"›"', fontSize: 18 },
  '& button:hover': { background: theme.vars.palette.action.hover },
  '& button:disabled': { opacity: 0.4, cursor: 'default', background: 'none' },
  '& button[aria-current]': { background: theme.vars.palette.action.selected, fontWeight: 600 },
  '& button:focus-visible, & select:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}` },
  '& select': {
    marginLeft: 8,
    height: 28,
    border: 0,
    borderRadius: 6,
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    cursor: 'pointer',
  },
  [theme.breakpoints.down('sm')]: {
    '& li > *': { minWidth: 44, height: 44, borderRadius: 22, lineHeight: '44px' },
    '& select': { height: 44 },
  },
  '& option': { background: theme.vars.palette.background.paper },
}))

/** Links on each side of the current page: as many as leave an ellipsis as soon as there are more than five pages. */
const neighbours = (pages: number) => (pages <= 5 ? 5 : pages <= 7 ? 0 : 1)

/** Total, links to pages (with ellipses over five) and the number of rows on a page. */
export function PageLinks() {
  const { page, perPage, total, setPage, setPerPage } = useListContext()
  const [chosen, rememberSize] = usePageSize()
  const { view, hasSections, fitting } = useListView()
  const { entity } = useScreen()
  const choosePage = useEvent(setPage)
  const chooseSize = useEvent((size: number) => {
    // The address first: saving the size redraws the list, which would still use the old address.
    setPerPage(size)
    rememberSize(size === fittingSize ? undefined : size)
  })
  if (total === undefined) return null
  return (
    <Links
      page={page}
      perPage={chosen === undefined && perPage === fitting ? fittingSize : perPage}
      rows={perPage}
      total={total}
      hasSizes={!hasSections}
      mayShowAll={entity.api.paging === 'whole' && view !== 'cards'}
      onPage={choosePage}
      onSize={chooseSize}
    />
  )
}

interface LinksProps {
  page: number
  /** As it is chosen, and what that comes to. */
  perPage: number
  rows: number
  total: number
  /** Whether their number can be chosen. */
  hasSizes: boolean
  mayShowAll: boolean
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** Redrawn only when its numbers change. The browser's own controls cost a tenth of MUI's. */
const Links = memo(function Links(props: LinksProps) {
  const { page, perPage, rows, total, hasSizes, mayShowAll, onPage, onSize } = props
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const id = useId()
  const pages = Math.max(1, Math.ceil(total / rows))
  const others = mayShowAll ? [everyRow.perPage] : []
  const sizes = [...new Set([fittingSize, ...pageSizes, ...others, perPage])].sort((a, b) => a - b)
  const nameOf = (size: number) =>
    size === fittingSize ? translate('app.list.fitting') : size === everyRow.perPage ? translate('app.list.all') : size
  return (
    <Bar>
      <span>{translate('app.list.total', { total: total.toLocaleString(locale) })}</span>
      {hasSizes ? (
        <span>
          <label htmlFor={id}>{translate('app.list.rows_per_page')}</label>
          <select id={id} value={perPage} onChange={(event) => onSize(Number(event.target.value))}>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {nameOf(size)}
              </option>
            ))}
          </select>
        </span>
      ) : null}
      {pages > 1 ? <Pages page={page} pages={pages} onPage={onPage} /> : null}
    </Bar>
  )
})

function Pages({ page, pages, onPage }: Pick<LinksProps, 'page' | 'onPage'> & { pages: number }) {
  const translate = useTranslate()
  const { items } = usePagination({
    count: pages,
    page,
    siblingCount: neighbours(pages),
    onChange: (_, target) => onPage(target),
  })
  return (
    <nav aria-label={translate('app.list.pages')}>
      <ul>
        {items.map(({ type, page: target, selected, disabled, onClick }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a link is its place in the row
          <li key={index}>
            {type === 'start-ellipsis' || type === 'end-ellipsis' ? (
              <span>…</span>
            ) : (
              <button
                type="button"
                disabled={disabled}
                aria-current={selected ? 'page' : undefined}
                aria-label={
                  type === 'page' ? translate('app.list.page', { page: target }) : translate(`app.list.${type}_page`)
                }
                onClick={onClick}
              >
                {type === 'page' ? target : <span className={type} />}
              </button>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
