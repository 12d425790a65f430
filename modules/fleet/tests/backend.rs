//! The embedded backend: per-device answers, typed errors, and what is not supported says so.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::backend::{Ability, Backend, BackendError, Capabilities, Directory, Embedded, Order};
use fleet::model::{DepartmentId, DeviceId, JobId, Shell, SiteId, TargetStatus};
use rusqlite::Connection;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use support::{NOW, device, empty};

/// The embedded backend answers at once.
fn now<T>(mut future: Pin<Box<dyn Future<Output = T> + Send + '_>>) -> T {
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(answer) => answer,
        Poll::Pending => unreachable!("rows do not wait"),
    }
}

fn approved_job(db: &Connection, devices: &[DeviceId]) -> JobId {
    db.execute(
        "INSERT INTO jobs (title, shell, body, target_count, digest, proposed_by, proposer, proposed_ms, expires_ms)
         VALUES ('t', 'sh', 'id', ?1, ?2, 'anna', 'ai', 1, 2)",
        (devices.len() as i64, "0".repeat(64)),
    )
    .unwrap();
    let job = JobId(db.last_insert_rowid());
    for d in devices {
        db.execute(
            "INSERT INTO job_targets (job_id, device_id) VALUES (?1, ?2)",
            (job, d),
        )
        .unwrap();
    }
    job
}

fn approve(db: &Connection, job: JobId) {
    db.execute(
        "UPDATE jobs SET status = 'approved', approved_by = 'bob', approved_ms = 3 WHERE id = ?1",
        [job],
    )
    .unwrap();
}

fn order(job: JobId, device: DeviceId) -> Order {
    Order {
        job,
        device,
        shell: Shell::Sh,
        body: "id".into(),
        timeout_s: 5,
        nonce: "n".into(),
    }
}

#[test]
fn a_run_is_queued_once_and_only_when_approved_and_one_at_a_time() {
    let db = empty();
    let web = device(&db, "web", "A", "S", "");
    let job = approved_job(&db, &[web]);
    let backend = Embedded::new(&db, NOW);
    // The table refuses what nobody approved, whoever asks the backend.
    assert!(
        matches!(now(backend.dispatch(&order(job, web))), Err(BackendError::Transport(e)) if e.contains("approved it"))
    );
    approve(&db, job);
    let reference = now(backend.dispatch(&order(job, web))).unwrap();
    assert!(matches!(
        now(backend.dispatch(&order(job, web))),
        Err(BackendError::Conflict(_))
    ));
    assert_eq!(
        now(backend.poll(job, web, &reference)).unwrap().status,
        Some(TargetStatus::Queued)
    );
    let other = approved_job(&db, &[web]);
    approve(&db, other);
    assert_eq!(
        now(backend.dispatch(&order(other, web))),
        Err(BackendError::Busy)
    );
    now(backend.cancel(job, web, &reference)).unwrap();
    assert_eq!(
        now(backend.poll(job, web, &reference)).unwrap().status,
        Some(TargetStatus::Cancelled)
    );
    assert!(matches!(
        now(backend.cancel(job, web, &reference)),
        Err(BackendError::Conflict(_))
    ));
    now(backend.dispatch(&order(other, web))).unwrap();
    assert_eq!(
        now(backend.poll(job, DeviceId(99), "")),
        Err(BackendError::NotFound)
    );
}

#[test]
fn moves_and_deletions_answer_for_each_device() {
    let db = empty();
    let web = device(&db, "web", "A", "S", "dev");
    let gone = device(&db, "gone", "A", "S", "");
    device(&db, "far", "B", "T", "ops");
    let backend = Embedded::new(&db, NOW);
    let answers = now(backend.delete_devices(&[gone, DeviceId(99), gone])).unwrap();
    let results: Vec<_> = answers.into_iter().map(|a| a.result).collect();
    assert_eq!(
        results,
        [
            Ok(()),
            Err(BackendError::NotFound),
            Err(BackendError::NotFound)
        ]
    );
    let wrong = now(backend.move_devices(&[web], SiteId(2), Some(DepartmentId(1)))).unwrap();
    assert!(matches!(wrong[0].result, Err(BackendError::Conflict(_))));
    assert_eq!(
        now(backend.move_devices(&[web], SiteId(9), None)).unwrap()[0].result,
        Err(BackendError::NotFound)
    );
    assert_eq!(
        now(backend.move_devices(&[web, gone], SiteId(2), Some(DepartmentId(2)))).unwrap()[0]
            .result,
        Ok(())
    );
    let place: (i64, i64, i64) = db
        .query_row(
            "SELECT client_id, site_id, department_id FROM devices WHERE id = ?1",
            [web],
            |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)),
        )
        .unwrap();
    assert_eq!(place, (2, 2, 2));
    assert_eq!(now(backend.devices()).unwrap().len(), 2);
    // The same machine may be enrolled again, as a new device.
    let again = device(&db, "gone", "A", "S", "");
    assert!(again > gone);
}

#[test]
fn only_approved_patches_are_installed() {
    let db = empty();
    let web = device(&db, "web", "A", "S", "");
    for n in 1..=2 {
        db.execute(
            "INSERT INTO patches (id, identifier) VALUES (?1, 'KB' || ?1)",
            [n],
        )
        .unwrap();
        db.execute("INSERT INTO device_patches (device_id, patch_id, first_ms, changed_ms) VALUES (?1, ?2, 1, 1)", (web, n)).unwrap();
    }
    db.execute(
        "UPDATE device_patches SET state = 'approved', approved_by = 'bob' WHERE patch_id = 1",
        [],
    )
    .unwrap();
    let backend = Embedded::new(&db, NOW);
    let wanted = [
        "KB1".to_owned(),
        "KB2".to_owned(),
        "KB3".to_owned(),
        "KB1".to_owned(),
    ];
    let answers: Vec<_> = now(backend.install_patches(web, &wanted))
        .unwrap()
        .into_iter()
        .map(|a| a.result)
        .collect();
    let no = || Err(BackendError::Denied);
    assert_eq!(answers, [Ok(()), no(), no(), no()]);
    let states: String = db
        .query_row(
            "SELECT group_concat(state) FROM (SELECT state FROM device_patches ORDER BY patch_id)",
            [],
            |r| r.get(0),
        )
        .unwrap();
    assert_eq!(states, "installing,missing");
}

#[test]
fn what_cannot_be_done_is_said_with_the_backend_and_the_verb() {
    let db = empty();
    let backend = Embedded::new(&db, NOW);
    let error = now(backend.refresh(DeviceId(1))).unwrap_err();
    assert_eq!(error.name(), "unsupported");
    let directory = Directory::default().with("mesh", Capabilities::of(&[Ability::Run]));
    assert!(directory.need("mesh", Ability::Run).is_ok());
    assert_eq!(
        directory
            .need("mesh", Ability::PatchesList)
            .unwrap_err()
            .to_string(),
        "the backend mesh cannot list patches"
    );
    assert!(directory.need("removed", Ability::Run).is_err());
    for ability in Ability::ALL {
        assert!(directory.has("embedded", ability));
        assert!(Capabilities::of(&[ability]).has(ability) && !Capabilities::default().has(ability));
    }
}
