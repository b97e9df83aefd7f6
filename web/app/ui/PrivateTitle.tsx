/** Title of a page that no search engine should keep: behind the login, or about nothing. */
export function PrivateTitle({ title }: { title: string }) {
  return (
    <>
      <title>{`${title} · Olmos`}</title>
      <meta name="robots" content="noindex" />
    </>
  )
}
