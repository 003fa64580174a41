import { styled } from '@mui/material/styles'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type HTMLAttributes, type Key, type ReactNode, type Ref, useRef } from 'react'

/** An option of an autocomplete before it is drawn: the attributes of its element, and its text. */
export interface Option {
  key: Key
  attributes: HTMLAttributes<HTMLElement>
  label: string
  isChosen: boolean
}

/** Up to this many options are all drawn: a virtual list costs time of its own. */
const virtualFrom = 100
const optionHeight = 36
/** More than Page Up and Page Down move at once: the option to move to must exist. */
const overscan = 10

interface OptionListProps extends HTMLAttributes<HTMLDivElement> {
  ref?: Ref<HTMLDivElement>
  /** What `renderOption` returned: options, not elements. */
  children?: ReactNode
}

/** The open list of an autocomplete. Of thousands of options, only those in view are drawn. */
export function OptionList({ ref, children, ...rest }: OptionListProps) {
  // The types of the autocomplete know only elements; it passes on whatever `renderOption` makes.
  const options = children as unknown as readonly Option[]
  return (
    // With padding, the autocomplete would scroll to the wrong place.
    <div {...rest} ref={ref} style={{ ...rest.style, padding: 0 }}>
      {options.length > virtualFrom ? (
        <OptionsInView options={options} />
      ) : (
        options.map((option) => <OptionRow key={option.key} option={option} />)
      )}
    </div>
  )
}

function OptionsInView({ options }: { options: readonly Option[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: options.length,
    getScrollElement: () => frame.current?.parentElement ?? null,
    estimateSize: () => optionHeight,
    overscan,
    rangeExtractor: withEnds,
    initialRect: { width: 0, height: 10 * optionHeight },
    useFlushSync: false,
  })
  return (
    <div ref={frame} role="presentation" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const option = options[index]
        return option ? (
          <OptionRow
            key={option.key}
            option={option}
            style={{ position: 'absolute', top: start, left: 0, right: 0 }}
            aria-setsize={options.length}
            aria-posinset={index + 1}
          />
        ) : null
      })}
    </div>
  )
}

/** Keys move from the last option to the first and back: both ends are always drawn. */
function withEnds(range: Range): number[] {
  const shown = defaultRangeExtractor(range)
  const first = Array.from({ length: overscan }, (_, index) => index)
  const last = first.map((index) => range.count - 1 - index)
  return [...new Set([...first, ...shown, ...last.reverse()])]
}

interface OptionRowProps extends HTMLAttributes<HTMLElement> {
  option: Option
}

function OptionRow({ option: { attributes, label, isChosen }, ...rest }: OptionRowProps) {
  return (
    <Row {...attributes} {...rest} aria-selected={isChosen}>
      <span title={label}>{label}</span>
    </Row>
  )
}

const Row = styled('div')({
  boxSizing: 'border-box',
  height: optionHeight,
  minHeight: '0 !important',
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
})
