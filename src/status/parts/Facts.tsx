/** @jsxImportSource preact */

interface FactsProps {
  /** Names and values. */
  facts: readonly (readonly [string, string])[]
  /** Classes beside `facts`. */
  class?: string
}

/** What is known of a server, by name. */
export const Facts = ({ facts, class: more = '' }: FactsProps) => (
  <dl class={`facts ${more}`}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
