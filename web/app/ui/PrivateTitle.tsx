/** Title of a page behind the login, which no search engine should keep. */
export function PrivateTitle({ title }: { title: string }) {
  return (
    <>
      <title>{`${title} · Olmos`}</title>
      <meta name="robots" content="noindex" />
    </>
  )
}
