//! Connections: accepted on loopback, bounded in number, in the size of heads and in time, and let finish at the end.
//! Read [`run`] first.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::Shared;

/// Bytes of the head of a request.
const LARGEST_HEAD: usize = 32 << 10;
const MOST_HEADERS: usize = 64;

/// After an error of the system, as when no file can be opened any more.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers until `until` is done, then lets what is being answered finish.
pub(super) async fn run(listener: TcpListener, router: Router, shared: &Arc<Shared>, until: impl Future<Output = ()>) {
    let (stop, stopping) = watch::channel(false);
    let mut connections = JoinSet::new();
    let places = Arc::new(Semaphore::new(shared.limits.connections));
    let mut until = std::pin::pin!(until);
    loop {
        // Finished ones are forgotten.
        while connections.try_join_next().is_some() {}
        tokio::select! {
            () = &mut until => break,
            accepted = accept(&listener, &places) => match accepted {
                Ok((stream, place)) => {
                    let connection = serve(stream, router.clone(), Arc::clone(shared), stopping.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    tracing::info!(open = connections.len(), "stopped listening");
    if stop.send(true).is_ok() {
        let drained = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(shared.limits.drain, drained).await.is_err() {
            tracing::warn!("some requests did not end in time");
        }
    }
}

type Place = tokio::sync::OwnedSemaphorePermit;

async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> std::io::Result<(TcpStream, Place)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(std::io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok((stream, place))
}

async fn serve(stream: TcpStream, router: Router, shared: Arc<Shared>, mut stopping: watch::Receiver<bool>) {
    shared.metrics.connections.fetch_add(1, Ordering::Relaxed);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(shared.limits.head);
    http.max_buf_size(LARGEST_HEAD).max_headers(MOST_HEADERS);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = async { drop(stopping.wait_for(|stop| *stop).await) } => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
    shared.metrics.connections.fetch_sub(1, Ordering::Relaxed);
}
