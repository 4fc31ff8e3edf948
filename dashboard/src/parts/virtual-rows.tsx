import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

interface VirtualRowsProps {
  readonly label: string
  /** Titles of the columns; the CSS class of the table says how wide they are. */
  readonly columns: readonly string[]
  readonly className: string
  readonly count: number
  readonly rowHeight: number
  readonly keyOf: (index: number) => string
  readonly cells: (index: number) => readonly ReactNode[]
  readonly rowClass?: (index: number) => string
  readonly selected?: number | undefined
  readonly select: (index: number) => void
  /** Stays at the end as rows come, while one is there. */
  readonly sticksToEnd?: boolean
}

/** Of the line with the titles, which stays above the rows. */
const headHeight = 28

/** Which rows are in sight, and how keys and the wheel go through them. */
function useScrolling({ count, rowHeight, keyOf, selected, select, sticksToEnd }: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  })
  const { scrollToIndex } = rows
  useEffect(() => {
    if (selected !== undefined && selected >= 0) scrollToIndex(selected, { align: 'auto' })
  }, [selected, scrollToIndex])
  const atEnd = useRef(true)
  useEffect(() => {
    if (sticksToEnd && atEnd.current && count > 0) scrollToIndex(count - 1, { align: 'end' })
  }, [count, sticksToEnd, scrollToIndex])
  const scrolled = () => {
    const box = scroller.current
    if (box !== null) atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < rowHeight * 2
  }
  const move = (event: KeyboardEvent) => {
    const to = movedTo(event, { count, selected, height: scroller.current?.clientHeight ?? 0, rowHeight })
    if (to === undefined) return
    event.preventDefault()
    select(to)
  }
  return { scroller, rows, scrolled, move }
}

/** A table of any length: only the rows in sight are on the page. j, k and the arrows go from row to row. */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, columns, className, count, rowHeight, cells, rowClass, selected, select } = props
  const { scroller, rows, scrolled, move } = useScrolling(props)
  return (
    <div
      className={`table ${className}`}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      onKeyDown={move}
      ref={scroller}
      onScroll={scrolled}
      tabIndex={0}
    >
      <div className="table-head" role="row" aria-rowindex={1}>
        {columns.map((title) => (
          <div role="columnheader" key={title}>
            {title}
          </div>
        ))}
      </div>
      <div className="table-body" role="rowgroup">
        <div className="table-all" role="presentation" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === selected}
              className={`table-row ${rowClass?.(index) ?? ''}`}
              style={{ transform: `translateY(${start - headHeight}px)`, height: rowHeight }}
              onClick={() => select(index)}
            >
              {cells(index).map((cell, at) => (
                <div role="gridcell" key={columns[at]}>
                  {cell}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

interface Shown {
  readonly count: number
  readonly selected: number | undefined
  readonly height: number
  readonly rowHeight: number
}

/** The row that a key leads to, if it is one of those. */
function movedTo(event: KeyboardEvent, { count, selected, height, rowHeight }: Shown): number | undefined {
  const page = Math.max(1, Math.floor(height / rowHeight) - 2)
  const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -count, End: count }
  const step = steps[event.key as keyof typeof steps]
  if (step === undefined || event.ctrlKey || event.metaKey || count === 0) return undefined
  return Math.max(0, Math.min(count - 1, (selected ?? (step > 0 ? -1 : count)) + step))
}
