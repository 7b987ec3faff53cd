import type { ComponentChildren } from 'preact';

/** A column of texts. */
export const text = (title: string) => ({ title, kind: '' });
/** A column of numbers, which stand at the right. */
export const number = (title: string) => ({ title, kind: 'number' });
/** A column of texts that may be broken into lines. */
export const long = (title: string) => ({ title, kind: 'long' });

/** A table in a box: a wide table scrolls inside the box. The first cell of each row is its head. */
export function Table(props: {
  caption?: string;
  columns: readonly ReturnType<typeof text>[];
  rows: readonly (readonly ComponentChildren[])[];
  isTall?: boolean;
}) {
  const { caption, columns, rows, isTall } = props;
  return (
    <div class={isTall ? 'scroll tall' : 'scroll'}>
      <table>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ title, kind }, place) => (
              <th key={place} scope="col" class={kind}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, place) => {
                const kind = columns[place]?.kind;
                return place === 0 ? <th key={place} scope="row" class={kind}>{cell}</th> : <td key={place} class={kind}>{cell}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
